import type { OutputLine } from '../recorder/lines.ts';

/** The first difference between a replay and the recording. */
export interface Difference {
  /** number of the block */
  readonly block: string;
  /** index of the flashblock */
  readonly index?: number;
  /** index of the transaction in the block, or in the flashblock */
  readonly transaction?: number;
  /** name of the field in the recording's line, or `block` when a whole line is missing */
  readonly field: string;
  readonly expected: string;
  readonly got: string;
  /** line number in the recording, from 1 */
  readonly line: number;
}

/** Compares a line of the recording with that of the replay. @returns `undefined` if they are equal */
export function compareLines(
  expected: OutputLine,
  got: OutputLine | undefined,
  line: number,
): Difference | undefined {
  const place = {
    block: 'sealed' in expected ? expected.sealed : expected.block,
    ...('flashblock' in expected && { index: expected.flashblock }),
    line,
  };
  const differs = (field: string, wanted: unknown, found: unknown, transaction?: number): Difference => ({
    ...place,
    ...(transaction !== undefined && { transaction }),
    field,
    expected: show(wanted),
    got: show(found),
  });
  const kind = (output: OutputLine) => ('sealed' in output ? 'a sealed block' : 'a partial block');
  if (!got) return differs('block', kind(expected), undefined);
  if (kind(expected) !== kind(got)) return differs('block', kind(expected), kind(got));
  for (const [field, wanted] of Object.entries(expected)) {
    const found: unknown = got[field as keyof OutputLine];
    if (field !== 'transactions') {
      if (wanted !== found) return differs(field, wanted, found);
      continue;
    }
    const { transactions: before } = expected;
    const { transactions: now } = got;
    for (let i = 0; i < Math.max(before.length, now.length); i++) {
      for (const name of ['hash', 'status', 'gasUsed'] as const) {
        if (before[i]?.[name] !== now[i]?.[name]) return differs(name, before[i]?.[name], now[i]?.[name], i);
      }
    }
  }
  return undefined;
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : String(value);
}

/** Describes a difference in one line of text. */
export function describeDifference({
  block,
  index,
  transaction,
  field,
  expected,
  got,
  line,
}: Difference): string {
  const place = [
    `block ${block}`,
    ...(index === undefined ? [] : [`index ${index}`]),
    ...(transaction === undefined ? [] : [`transaction ${transaction}`]),
  ].join(', ');
  return `${place}: ${field}: expected ${expected}, got ${got} (line ${line})`;
}
