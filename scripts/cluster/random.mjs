/** Random choices that depend only on a seed (mulberry32). */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** @returns {number} from 0 up to 1 */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let x = this.#state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  }

  /** @returns {number} a whole number from `from` to `to`, both included */
  whole(from, to) {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  of(list) {
    return list[Math.floor(this.next() * list.length)];
  }

  /** @param {number} probability */
  chance(probability) {
    return this.next() < probability;
  }
}
