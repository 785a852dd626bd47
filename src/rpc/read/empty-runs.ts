import type { LoggedBlocks } from '../../chain/refs.ts';

/** Most runs that are remembered. */
const MOST = 100_000;

/**
 * The blocks without transactions, as runs of numbers, so that searches jump over them: reserved blocks, and those that searches
 * have come across.
 */
export class EmptyRuns {
  readonly #logged: LoggedBlocks;
  /** the last number of each run by its first one, and the first by the last */
  readonly #lastOf = new Map<bigint, bigint>();
  readonly #firstOf = new Map<bigint, bigint>();
  #removals = 0;

  constructor(logged: LoggedBlocks) {
    this.#logged = logged;
  }

  /** Forgets all where blocks were removed meanwhile: their numbers may be those of others. */
  check(): void {
    const { removals } = this.#logged;
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

  /** The first block from this one on, in the direction of the search, that isn't known to be without transactions. */
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

/** The runs of a chain. @param logged stands for the chain: it is the same object as long as the chain is */
export function emptyRunsOf(logged: LoggedBlocks): EmptyRuns {
  let found = runs.get(logged);
  if (!found) {
    found = new EmptyRuns(logged);
    runs.set(logged, found);
  }
  found.check();
  return found;
}
