/** A place in a file where a term was found. */
export interface Found {
  /** from 1 */
  readonly line: number;
  /** character of the line, from 0 */
  readonly from: number;
}

/** Places that are listed; a search for a single letter finds more. */
const MOST = 10_000;

/** All places of a term in a file, in either case of letters. */
export function findInLines(lines: readonly string[], term: string): readonly Found[] {
  const found: Found[] = [];
  const wanted = term.toLowerCase();
  if (wanted === '') return found;
  for (const [i, line] of lines.entries()) {
    const lower = line.toLowerCase();
    for (let from = lower.indexOf(wanted); from >= 0; from = lower.indexOf(wanted, from + wanted.length)) {
      found.push({ line: i + 1, from });
      if (found.length >= MOST) return found;
    }
  }
  return found;
}
