/** A number with what it counts: `1 block`, `3 blocks`. @param many the plural, where it isn't the noun with an s */
export function plural(count: number | bigint, noun: string, many = `${noun}s`): string {
  return `${count} ${BigInt(count) === 1n ? noun : many}`;
}
