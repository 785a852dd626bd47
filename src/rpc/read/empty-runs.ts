import type { LoggedBlocks } from '../../chain/refs.ts';

/** Maximum number of runs that are remembered. */
const MAX = 100_000;

/**
 * The blocks without transactions, as runs of consecutive numbers, which searches skip: reserved blocks, and empty blocks that earlier
 * searches have read.
 */
export class EmptyRuns {
  readonly #logged: LoggedBlocks;
  /** last number of each run by its first number, and first number by last */
  readonly #lastOf = new Map<bigint, bigint>();
  readonly #firstOf = new Map<bigint, bigint>();
  #removals = 0;

  constructor(logged: LoggedBlocks) {
    this.#logged = logged;
  }

  /** Forgets all runs if blocks have been removed since the last check: their numbers may belong to other blocks now. */
  check(): void {
    const { removals } = this.#logged;
    if (removals === this.#removals && this.#lastOf.size <= MAX) return;
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

  /** Returns the first block number from the given one on, in the direction of the search, that isn't known to have no transactions. */
  skip(number: bigint, step: 1n | -1n): bigint {
    for (let next = number; ; ) {
      const reserved = this.#logged.reservedAt(next);
      const end =
        step > 0n ? (reserved?.last ?? this.#lastOf.get(next)) : (reserved?.first ?? this.#firstOf.get(next));
      if (end === undefined) return next;
      next = end + step;
    }
  }
}

const runs = new WeakMap<LoggedBlocks, EmptyRuns>();

/** Returns the runs of a chain. @param logged identifies the chain: the object stays the same as long as the chain does */
export function emptyRunsOf(logged: LoggedBlocks): EmptyRuns {
  let found = runs.get(logged);
  if (!found) {
    found = new EmptyRuns(logged);
    runs.set(logged, found);
  }
  found.check();
  return found;
}
