import type { LogTerm, TermGroups } from '../log-terms.ts';

/** Maximum number of terms per block. Every search finds a block with more terms, or one whose terms were dropped. */
export const MAX_TERMS = 1_024;
/** Maximum number of terms in memory, 4 bytes each. When exceeded, those of the oldest blocks are dropped. */
const MAX_HELD = 8 * 1_024 * 1_024;
/** The low bits of a term: compared first, they exclude most other terms quickly. */
const LOW_BITS = 0xfff;

/** The numbers of the blocks that have logs, ascending, with the terms of these logs, packed into few arrays. */
export class LogIndex {
  readonly #mostHeld: number;
  #count = 0;
  #numbers = new Float64Array(64);
  /** by block, the end of its terms in {@link LogIndex.#terms}; they begin at the end of the previous block's */
  #ends = new Uint32Array(64);
  #terms = new Uint32Array(256);

  /** @param options.mostHeld terms kept; default about 8 million */
  constructor({ mostHeld = MAX_HELD }: { mostHeld?: number } = {}) {
    this.#mostHeld = mostHeld;
  }

  /** Number of blocks. */
  get size(): number {
    return this.#count;
  }

  /**
   * Adds a block with a higher number than all others.
   * @param terms empty if unknown
   * @param first blocks below this number aren't needed any more
   */
  add(number: number, terms: ArrayLike<LogTerm>, first = 0): void {
    if (this.#count === this.#numbers.length) {
      this.#removeBelow(first);
      if (this.#count > this.#numbers.length / 2) {
        this.#numbers = larger(this.#numbers, new Float64Array(this.#count * 2));
        this.#ends = larger(this.#ends, new Uint32Array(this.#count * 2));
      }
    }
    const at = this.#endOf(this.#count - 1);
    const kept = terms.length > MAX_TERMS ? [] : terms;
    const end = at + kept.length;
    if (end > this.#terms.length)
      this.#terms = larger(this.#terms, new Uint32Array(Math.max(end, this.#terms.length * 2)));
    this.#terms.set(kept, at);
    this.#numbers[this.#count] = number;
    this.#ends[this.#count++] = end;
    if (end > this.#mostHeld) this.#dropOldTerms();
  }

  /** Adds all blocks of another index. Their numbers must be higher than those of this one. */
  append(other: LogIndex): void {
    for (let i = 0; i < other.#count; i++)
      this.add(other.#numbers[i]!, other.#terms.subarray(other.#endOf(i - 1), other.#ends[i]!));
  }

  /** Removes the blocks above `number`. */
  removeAbove(number: number): void {
    this.#count = this.#indexOf(number + 1);
  }

  /** The blocks from `from` to `to` that have a term of each group, ascending. */
  find(from: number, to: number, groups: TermGroups): number[] {
    const end = this.#indexOf(to + 1);
    let index = this.#indexOf(from);
    if (groups.length === 0) return Array.from(this.#numbers.subarray(index, end));
    const found: number[] = [];
    const all = (1 << groups.length) - 1;
    const [masks, low] = masksOf(groups);
    const terms = this.#terms;
    for (let at = this.#endOf(index - 1); index < end; index++) {
      const start = at;
      let seen = 0;
      for (at = this.#ends[index]!; at > start && seen !== all; ) {
        const term = terms[--at]!;
        if (low[term & LOW_BITS] === 1) seen |= masks.get(term) ?? 0;
      }
      at = this.#ends[index]!;
      if (seen === all || at === start) found.push(this.#numbers[index]!);
    }
    return found;
  }

  /** Index of the first block whose number is at least this. */
  #indexOf(number: number): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#numbers[middle]! < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #endOf(index: number): number {
    return index < 0 ? 0 : this.#ends[index]!;
  }

  #removeBelow(number: number): void {
    const removed = this.#indexOf(number);
    const shift = this.#endOf(removed - 1);
    this.#terms.copyWithin(0, shift);
    this.#numbers.copyWithin(0, removed);
    this.#ends.copyWithin(0, removed);
    this.#count -= removed;
    for (let i = 0; i < this.#count; i++) this.#ends[i]! -= shift;
  }

  /** Drops about half of the terms: those of the oldest blocks. */
  #dropOldTerms(): void {
    const half = this.#endOf(this.#count - 1) / 2;
    const index = this.#ends.findIndex((end) => end >= half);
    const shift = this.#ends[index]!;
    this.#terms.copyWithin(0, shift);
    for (let i = 0; i < this.#count; i++) this.#ends[i] = Math.max(0, this.#ends[i]! - shift);
  }
}

/** Returns by term a bit for each group that contains it, and a table of the low bits of all these terms. */
function masksOf(groups: TermGroups): [Map<LogTerm, number>, Uint8Array] {
  const masks = new Map<LogTerm, number>();
  const low = new Uint8Array(LOW_BITS + 1);
  groups.forEach((group, i) => {
    for (const term of group) {
      masks.set(term, (masks.get(term) ?? 0) | (1 << i));
      low[term & LOW_BITS] = 1;
    }
  });
  return [masks, low];
}

function larger<A extends Float64Array | Uint32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
