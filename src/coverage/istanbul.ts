import type { SourceFile } from '../sources/source-file.ts';
import type { FileCounts } from './source-counts.ts';
import type { Range } from './statements.ts';

/** A range of a file in Istanbul's format: lines from 1, columns from 0. */
interface IstanbulRange {
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}

/** Coverage of a file in Istanbul's format, which nyc, c8, Vitest and many services read. */
export interface IstanbulFile {
  readonly path: string;
  readonly statementMap: Readonly<Record<string, IstanbulRange>>;
  readonly fnMap: Readonly<
    Record<
      string,
      {
        readonly name: string;
        readonly line: number;
        readonly decl: IstanbulRange;
        readonly loc: IstanbulRange;
      }
    >
  >;
  readonly branchMap: Readonly<
    Record<
      string,
      {
        readonly type: string;
        readonly line: number;
        readonly loc: IstanbulRange;
        readonly locations: readonly IstanbulRange[];
      }
    >
  >;
  readonly s: Readonly<Record<string, number>>;
  readonly f: Readonly<Record<string, number>>;
  readonly b: Readonly<Record<string, readonly number[]>>;
}

/** @param path path of the file for the report */
export function istanbulFile(
  { parts, statements, functions, branches }: FileCounts,
  path: string,
): IstanbulFile {
  const { file } = parts;
  const counted = parts.statements.flatMap((each, i) =>
    statements[i] === undefined ? [] : [[each, statements[i]] as const],
  );
  const known = parts.branches.flatMap((each, i) =>
    branches[i]!.includes(undefined) ? [] : [[each, branches[i] as readonly number[]] as const],
  );
  return {
    path,
    statementMap: numbered(counted, ([each]) => rangeOf(file, each)),
    s: numbered(counted, ([, runs]) => runs),
    fnMap: numbered(parts.functions, (each, i) => {
      const loc = rangeOf(file, each);
      return { name: functionName(parts.functions[i]!), line: loc.start.line, decl: loc, loc };
    }),
    f: numbered(functions, (runs) => runs),
    branchMap: numbered(known, ([{ kind, paths, ...range }]) => ({
      type: kind === 'if' ? 'if' : 'branch',
      line: file.positionOf(range.start).line,
      loc: rangeOf(file, range),
      locations: paths.map((path) => rangeOf(file, path)),
    })),
    b: numbered(known, ([, runs]) => runs),
  };
}

/** The function's name: `Token.transfer`, `Token.constructor`; for a free function its name alone. */
export function functionName({ kind, name, contract }: FileCounts['parts']['functions'][0]): string {
  const own = kind === 'constructor' || kind === 'fallback' || kind === 'receive' ? kind : name;
  return contract ? `${contract.name}.${own}` : own;
}

function numbered<T, R>(list: readonly T[], of: (item: T, index: number) => R): Readonly<Record<string, R>> {
  return Object.fromEntries(list.map((item, i) => [String(i), of(item, i)]));
}

function rangeOf(file: SourceFile, { start, end }: Range): IstanbulRange {
  const place = (at: number) => {
    const { line, column } = file.positionOf(at);
    return { line, column: column - 1 };
  };
  return { start: place(start), end: place(end) };
}
