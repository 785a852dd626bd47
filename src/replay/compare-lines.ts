import type { OutputLine } from '../recorder/lines.ts';

/** The first thing in which a replay is not the recording. */
export interface Difference {
  /** number of the block that it is in */
  readonly block: string;
  /** index of the partial block */
  readonly index?: number;
  /** place in the block, or in the partial block */
  readonly transaction?: number;
  /** as in the recording's line, or what is missing */
  readonly field: string;
  readonly expected: string;
  readonly got: string;
  /** of the recording, from 1 */
  readonly line: number;
}

/** @returns `undefined` when both say the same */
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

/** A difference in one line. */
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
