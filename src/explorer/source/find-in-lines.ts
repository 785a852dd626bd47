/** A match of a search term in a file. */
export interface Found {
  /** line number, from 1 */
  readonly line: number;
  /** column of the match, in characters from 0 */
  readonly from: number;
}

/** Limit of the matches: a search for a single letter would find more. */
const MAX = 10_000;

/** All matches of a term in a file, case-insensitive. */
export function findInLines(lines: readonly string[], term: string): readonly Found[] {
  const found: Found[] = [];
  const wanted = term.toLowerCase();
  if (wanted === '') return found;
  for (const [i, line] of lines.entries()) {
    const lower = line.toLowerCase();
    for (let from = lower.indexOf(wanted); from >= 0; from = lower.indexOf(wanted, from + wanted.length)) {
      found.push({ line: i + 1, from });
      if (found.length >= MAX) return found;
    }
  }
  return found;
}
