/**
 * What a transaction or call comes to by the rules of another hardfork, the worst first:
 * - `fails with any`: it fails, or can't be in a block, whatever its gas limit is
 * - `fails with this limit`: it would come to what it comes to now with another gas limit, up to that of the block
 * - `other result`: it returns something else, fails for another reason, succeeds although it fails now, or leaves another state
 * - `other logs`
 * - `dearer`, `cheaper`: nothing differs but the gas
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

/** Whether more than the gas differs. */
export function isOtherOutcome(verdict: Verdict): boolean {
  return VERDICTS.indexOf(verdict) < VERDICTS.indexOf('dearer');
}

/** The verdict that a text names, with spaces or hyphens between the words; `undefined` for another text. */
export function verdictNamed(text: string): Verdict | undefined {
  const name = text.trim().toLowerCase().replaceAll('-', ' ');
  return VERDICTS.find((verdict) => verdict === name);
}
