/**
 * The name that was probably meant, whatever its capitals: the shortest one that goes on from what was typed, else the one with the
 * fewest letters changed, left out, put in or swapped; `undefined` where none of them is like what was typed.
 */
export function similar(typed: string, names: readonly string[]): string | undefined {
  const word = typed.toLowerCase();
  const most = Math.floor(word.length / 3);
  let meant: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const changes = changesTo(name.toLowerCase(), word, most);
    if (changes === undefined || changes > least) continue;
    if (changes === least && name.length >= meant!.length) continue;
    meant = name;
    least = changes;
  }
  return meant;
}

/**
 * How many letters differ. A name that begins with what was typed counts as 0; a name that what was typed begins with may be followed by
 * as many letters as it has itself.
 * @param most letters that may differ where neither begins with the other
 * @returns `undefined` for a name that isn't like what was typed
 */
function changesTo(name: string, word: string, most: number): number | undefined {
  if (name.startsWith(word) && (word.length > 1 || name === word)) return 0;
  const missing = word.length - name.length;
  if (word.startsWith(name) && missing <= name.length) return missing;
  const changes = Math.abs(missing) > most ? most + 1 : changesBetween(name, word, most);
  return changes > most ? undefined : changes;
}

/** ` (did you mean fees?)`, to be put behind what was expected; '' where no name is like what was typed. */
export function suggestion(typed: string, names: readonly string[]): string {
  const meant = similar(typed, names);
  return meant === undefined ? '' : ` (did you mean ${meant}?)`;
}

/**
 * Optimal string alignment: Levenshtein's distance, with a swap of neighbours as one change.
 * @param most ends early once there are more changes, and returns some number above it
 */
function changesBetween(one: string, other: string, most: number): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, i) => i);
  let leastBefore = 0;
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    let leastOfRow = i;
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
      leastOfRow = Math.min(leastOfRow, least);
    }
    if (Math.min(leastOfRow, leastBefore) > most) return most + 1;
    leastBefore = leastOfRow;
    before = last;
    last = row;
  }
  return last[other.length]!;
}
