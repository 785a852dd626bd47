import type { FunctionGas } from '../coverage/gas-functions.ts';
import type { GasFigures } from './profile-options.ts';
import { textTable } from './report.ts';

/** Average gas of a function in two runs of the test suite. */
export interface ComparedGas {
  readonly function: string;
  readonly before: number;
  readonly now: number;
  /** in percent of the earlier value */
  readonly change: number;
}

export interface GasComparison {
  /** functions of both runs whose gas differs, largest increase first */
  readonly changed: readonly ComparedGas[];
  /** functions whose gas rose by more than the tolerance */
  readonly regressions: readonly ComparedGas[];
  /** functions that only one of the runs has */
  readonly added: readonly string[];
  readonly gone: readonly string[];
}

/** @param tolerance in percent */
export function compareGas(before: GasFigures, now: GasFigures, tolerance: number): GasComparison {
  const [then, here] = [rowsOf(before), rowsOf(now)];
  const changed = [...here]
    .flatMap(([name, { average }]): ComparedGas[] => {
      const known = then.get(name)?.average;
      if (known === undefined || known === average) return [];
      return [
        { function: name, before: known, now: average, change: (100 * (average - known)) / (known || 1) },
      ];
    })
    .sort((a, b) => b.change - a.change);
  return {
    changed,
    regressions: changed.filter(({ change }) => change > tolerance),
    added: [...here.keys()].filter((name) => !then.has(name)),
    gone: [...then.keys()].filter((name) => !here.has(name)),
  };
}

export function comparisonLines(
  { changed, regressions, added, gone }: GasComparison,
  { file, tolerance }: { readonly file: string; readonly tolerance: number },
): string[] {
  const lines = [`Gas compared with ${file}:`];
  if (changed.length === 0) lines.push('    no function uses more or less');
  else
    lines.push(
      ...textTable(
        ['function', 'before', 'now', 'change'],
        changed.map(({ function: name, before, now, change }) => [name, before, now, percent(change)]),
      ),
    );
  if (added.length > 0) lines.push(`    new: ${added.join(', ')}`);
  if (gone.length > 0) lines.push(`    not called any more: ${gone.join(', ')}`);
  if (regressions.length > 0)
    lines.push(
      `    ${regressions.length} of them use${regressions.length === 1 ? 's' : ''} ${tolerance > 0 ? `more than ${tolerance} % ` : ''}more gas`,
    );
  return lines;
}

function percent(change: number): string {
  return `${change > 0 ? '+' : ''}${change.toFixed(2)} %`;
}

function rowsOf({ functions, calledFunctions = [] }: GasFigures): ReadonlyMap<string, FunctionGas> {
  return new Map([
    ...functions.map((row) => [row.function, row] as const),
    ...calledFunctions.map((row) => [`${row.function}, called by contracts`, row] as const),
  ]);
}
