/**
 * The name that was probably meant: the shortest one that goes on from what was typed, else the one with the fewest
 * letters changed, left out, put in or swapped.
 * @param names at least one
 */
function nearest(typed: string, names: readonly string[]): string {
  const ranked = names.map((name) => ({
    name,
    changes: name.startsWith(typed) ? 0 : changesBetween(typed, name),
  }));
  ranked.sort((a, b) => a.changes - b.changes || a.name.length - b.name.length);
  return ranked[0]!.name;
}

/**
 * The name that was probably meant, whatever its capitals; `undefined` where none of them is like what was typed.
 * @param names at least one
 */
export function similar(typed: string, names: readonly string[]): string | undefined {
  const lower = new Map(names.map((name) => [name.toLowerCase(), name]));
  const word = typed.toLowerCase();
  const found = nearest(word, [...lower.keys()]);
  const isPart = word.length > 1 && (found.startsWith(word) || word.startsWith(found));
  return isPart || changesBetween(word, found) <= word.length / 3 ? lower.get(found) : undefined;
}

/** ` (did you mean fees?)`, to be put behind what was expected; '' where no name is like what was typed. */
export function suggestion(typed: string, names: readonly string[]): string {
  const meant = names.length === 0 ? undefined : similar(typed, names);
  return meant === undefined ? '' : ` (did you mean ${meant}?)`;
}

/** Optimal string alignment: Levenshtein's distance, with a swap of neighbours as one change. */
function changesBetween(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return last[other.length]!;
}
