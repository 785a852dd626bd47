import { type FileSummary, type Share, totalOf } from '../coverage/summary.ts';
import { fitNames, textTable } from './report.ts';

type Shares = Omit<FileSummary, 'name' | 'uncoveredLines'>;

const SHARES = ['lines', 'statements', 'branches', 'functions'] as const;
const INDENT = ' '.repeat(8);

/**
 * Formats the coverage of files as lines of text.
 * @param width of the terminal in columns. If the table is wider, it has percentages only, and the uncovered lines are below their file. By
 * default it isn't limited
 */
export function coverageTable(
  files: readonly FileSummary[],
  width: number = Number.POSITIVE_INFINITY,
): string[] {
  if (files.length === 0) return [];
  const total: Shares = totalOf(files);
  const wide = textTable(
    ['file', ...SHARES, 'uncovered lines'],
    [
      ...files.map((file) => [file.name, ...cells(file, shareText), rangesOf(file.uncoveredLines)]),
      ['total', ...cells(total, shareText), ''],
    ],
  );
  if (wide.every((line) => line.length <= width)) return wide;
  const [head, ...lines] = fitNames(width, [...files.map(({ name }) => name), 'total'], (names) =>
    textTable(
      ['file', ...SHARES],
      [...files, total].map((each, i) => [names[i]!, ...cells(each, percentOf)]),
    ),
  );
  return [
    head!,
    ...lines.flatMap((line, i) => {
      const uncovered = files[i]?.uncoveredLines ?? [];
      return [line, ...(uncovered.length > 0 ? wrapped(`uncovered: ${rangesOf(uncovered)}`, width) : [])];
    }),
  ];
}

function cells(shares: Shares, text: (share: Share) => string): string[] {
  return SHARES.map((name) => text(shares[name]));
}

function shareText(share: Share): string {
  return share.total === 0 ? '-' : `${percentOf(share)} (${share.covered}/${share.total})`;
}

/** Rounded down, so that 100 % is shown only if everything is covered. */
function percentOf({ covered, total }: Share): string {
  return total === 0 ? '-' : `${(Math.floor((10_000 * covered) / total) / 100).toFixed(2)} %`;
}

/** Breaks a text at spaces into indented lines. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = INDENT.slice(1);
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > width && line.trim() !== '') {
      lines.push(line);
      line = INDENT.slice(1);
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}

/** `3, 7-9` */
function rangesOf(lines: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last && last[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ');
}
