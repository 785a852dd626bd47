import type { FileCounts } from './source-counts.ts';

/** A total, and how many of it ran. */
export interface Share {
  readonly total: number;
  readonly covered: number;
}

/** The coverage of a file. */
export interface FileSummary {
  readonly name: string;
  readonly lines: Share;
  readonly statements: Share;
  readonly branches: Share;
  readonly functions: Share;
  /** line numbers, from 1 */
  readonly uncoveredLines: readonly number[];
}

/** The runs of each line on which a statement, a function or a `catch` begins, by line number from 1. The highest count of a line wins. */
export function linesOf({ parts, statements, functions, branches }: FileCounts): ReadonlyMap<number, number> {
  const { file } = parts;
  const lines = new Map<number, number>();
  const add = (start: number, runs: number) => {
    const { line } = file.positionOf(start);
    lines.set(line, Math.max(lines.get(line) ?? 0, runs));
  };
  for (const [i, { start }] of parts.functions.entries()) add(start, functions[i]!);
  for (const [i, { start }] of parts.statements.entries())
    if (statements[i] !== undefined) add(start, statements[i]!);
  for (const [i, { kind, paths }] of parts.branches.entries())
    if (kind === 'try')
      for (const [path, { start }] of paths.entries())
        if (path > 0 && branches[i]![path] !== undefined) add(start, branches[i]![path]!);
  return new Map([...lines].sort(([a], [b]) => a - b));
}

export function summaryOf(file: FileCounts): FileSummary {
  const lines = linesOf(file);
  return {
    name: file.name,
    lines: shareOf([...lines.values()]),
    statements: shareOf(file.statements),
    branches: shareOf(file.branches.flat()),
    functions: shareOf(file.functions),
    uncoveredLines: [...lines].filter(([, runs]) => runs === 0).map(([line]) => line),
  };
}

export function totalOf(files: readonly FileSummary[]): Omit<FileSummary, 'name' | 'uncoveredLines'> {
  const sum = (of: (file: FileSummary) => Share): Share => ({
    total: files.reduce((all, file) => all + of(file).total, 0),
    covered: files.reduce((all, file) => all + of(file).covered, 0),
  });
  return {
    lines: sum(({ lines }) => lines),
    statements: sum(({ statements }) => statements),
    branches: sum(({ branches }) => branches),
    functions: sum(({ functions }) => functions),
  };
}

/** Counts of `undefined` are left out. */
function shareOf(runs: readonly (number | undefined)[]): Share {
  const known = runs.filter((each) => each !== undefined);
  return { total: known.length, covered: known.filter((each) => each > 0).length };
}
