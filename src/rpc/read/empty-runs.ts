import type { LoggedBlocks } from '../../chain/refs.ts';

/** Most runs that are remembered. */
const MOST = 100_000;

/** The blocks without transactions that searches have come across, as runs of numbers, so that the next search jumps over them. */
export class EmptyRuns {
  /** the last number of each run by its first one, and the first by the last */
  readonly #lastOf = new Map<bigint, bigint>();
  readonly #firstOf = new Map<bigint, bigint>();
  #removals = 0;

  /** Forgets all where blocks were removed meanwhile: their numbers may be those of others. */
  check({ removals }: Pick<LoggedBlocks, 'removals'>): void {
    if (removals === this.#removals && this.#lastOf.size <= MOST) return;
    this.#removals = removals;
    this.#lastOf.clear();
    this.#firstOf.clear();
  }

  /** Adds a block without transactions. */
  add(number: bigint): void {
    const first = this.#firstOf.get(number - 1n) ?? number;
    const last = this.#lastOf.get(number + 1n) ?? number;
    this.#firstOf.delete(number - 1n);
    this.#lastOf.delete(number + 1n);
    this.#lastOf.set(first, last);
    this.#firstOf.set(last, first);
  }

  /** The first block, in the direction of the search, that isn't in the run which begins with this number. */
  skip(number: bigint, step: bigint): bigint {
    const end = step > 0n ? this.#lastOf.get(number) : this.#firstOf.get(number);
    return end === undefined ? number : end + step;
  }
}

const runs = new WeakMap<LoggedBlocks, EmptyRuns>();

/** The runs of a chain. @param logged stands for the chain: it is the same object as long as the chain is */
export function emptyRunsOf(logged: LoggedBlocks): EmptyRuns {
  let found = runs.get(logged);
  if (!found) {
    found = new EmptyRuns();
    runs.set(logged, found);
  }
  found.check(logged);
  return found;
}
