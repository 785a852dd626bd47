/** Random choices that are the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: string | number) {
    // FNV-1a: seeds that are alike must begin unlike.
    this.#state = 0x811c9dc5;
    for (const character of String(seed))
      this.#state = Math.imul(this.#state ^ character.charCodeAt(0), 0x01000193);
  }

  /** A number from 0 to below 1, by Mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below `most`. */
  below(most: number): number {
    return Math.floor(this.next() * most);
  }

  /** Whether something of this probability happens. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}
