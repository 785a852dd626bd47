import type { GasTotals, Profile } from './profile.ts';
import { type SourceCounts, sumOf } from './source-counts.ts';

/** Gas of a file, by line from 1. */
export interface FileGas {
  readonly file: string;
  readonly gas: number;
  /** the lines with gas, in ascending order: gas, and the number of runs of the line's most frequent opcode */
  readonly lines: readonly { readonly line: number; readonly gas: number; readonly runs: number }[];
}

/** The gas of all transactions by line: rows and files add up to `gasUsed`. */
export interface GasByLine {
  readonly transactions: number;
  /** total by the receipts */
  readonly gasUsed: number;
  /** gas that belongs to no line */
  readonly rows: readonly { readonly what: string; readonly gas: number }[];
  readonly files: readonly FileGas[];
}

const WORDS: readonly (readonly [keyof GasTotals, string])[] = [
  ['intrinsic', 'intrinsic gas of transactions'],
  ['outside', 'precompiles that transactions call, delegations, and the floor for call data'],
  ['uncounted', 'codes that were too many to be counted'],
  ['refunds', 'refunds'],
];

/** @param contractOf returns a contract's name by the hash of its code, if it is known */
export function gasByLine(
  { totals, codes }: Profile,
  { files, elsewhere, contracts }: SourceCounts,
  contractOf: (code: string) => string | undefined,
): GasByLine {
  const rows = [...elsewhere.generated].map(([name, gas]) => ({
    what: `code of ${name} that comes from no line`,
    gas,
  }));
  const unknown = new Map<string, number>();
  for (const [key, gas] of elsewhere.unknown) {
    const isCreation = codes.get(key)?.isCreation;
    const name = contractOf(key) ?? 'a contract';
    const what = contracts.has(key)
      ? `creation of ${name} by other contracts, for which it was compiled differently`
      : `${isCreation ? 'creation of' : 'code of'} ${name} that no build info has`;
    unknown.set(what, (unknown.get(what) ?? 0) + gas);
  }
  for (const [what, gas] of unknown) rows.push({ what, gas });
  for (const [name, what] of WORDS) rows.push({ what, gas: totals[name] });
  return {
    transactions: totals.transactions,
    gasUsed: totals.gasUsed,
    rows: rows.filter(({ gas }) => gas !== 0),
    files: files
      .map(({ name, gas }) => ({
        file: name,
        gas: sumOf([...gas.values()].map((each) => each.gas)),
        lines: [...gas]
          .filter(([, each]) => each.gas !== 0)
          .map(([line, each]) => ({ line, ...each }))
          .sort((a, b) => a.line - b.line),
      }))
      .filter(({ lines }) => lines.length > 0),
  };
}
