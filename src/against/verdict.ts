/**
 * The outcome of a transaction or call by the rules of another hardfork compared with its own, the worst first:
 * - `fails with any`: it fails, or can't be in a block, with every gas limit
 * - `fails with this limit`: with a higher gas limit, up to the block's, the outcome would be the same
 * - `other result`: it returns other data, fails for another reason, succeeds although it fails now, or leaves another state
 * - `other logs`
 * - `dearer`, `cheaper`: only the gas differs
 * - `same`
 */
export const VERDICTS = [
  'fails with any',
  'fails with this limit',
  'other result',
  'other logs',
  'dearer',
  'cheaper',
  'same',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Whether the verdict is a difference other than the gas. */
export function isOtherOutcome(verdict: Verdict): boolean {
  return VERDICTS.indexOf(verdict) < VERDICTS.indexOf('dearer');
}

/** The verdict named by a text, with spaces or hyphens between the words; `undefined` for any other text. */
export function verdictNamed(text: string): Verdict | undefined {
  const name = text.trim().toLowerCase().replaceAll('-', ' ');
  return VERDICTS.find((verdict) => verdict === name);
}
