import type { BlockStore } from './store/block-store.ts';

/** How far back a chain with a given head reaches: which blocks are shown, and which of those are safe and final. */
export class ShownRange {
  readonly #store: Pick<BlockStore, 'first' | 'states' | 'genesis'>;
  readonly #keep: bigint | undefined;
  readonly #epoch: bigint;
  /** number of the newest block that is final however near the head: it was imported */
  finalized = 0n;

  /** @param options as of `Chain` */
  constructor(
    options: { slotsInAnEpoch: bigint; keepBlocks?: bigint | undefined },
    deps: { store: Pick<BlockStore, 'first' | 'states' | 'genesis'> },
  ) {
    this.#keep = options.keepBlocks;
    this.#epoch = options.slotsInAnEpoch;
    this.#store = deps.store;
  }

  /**
   * Number of the first block that is shown, besides the genesis block. Counted from the head, not from what is still
   * on disk; blocks that were removed stay removed when the head goes back.
   */
  first(head: bigint): bigint {
    const { first } = this.#store;
    const counted = this.#keep === undefined ? first : head - this.#keep + 1n;
    const number = counted > first ? counted : first;
    // A reset to the genesis block removes the later blocks before the head moves: never go beyond the head.
    return number > head ? head : number;
  }

  /** Number of the first block from which on all states are available, besides the genesis block's. */
  states(head: bigint): bigint {
    const first = this.first(head);
    const { states } = this.#store;
    return states > first ? states : first;
  }

  /** Whether a block is shown. The genesis block always is: a reset goes back to it. */
  shows(number: bigint, head: bigint): boolean {
    return number === this.#store.genesis || number >= this.first(head);
  }

  /** Number of the block that is this many epochs behind the head. */
  lagging(epochs: bigint, head: bigint): bigint {
    const number = head - epochs * this.#epoch;
    const first = this.first(head);
    const lowest = this.finalized > first ? this.finalized : first;
    return number > lowest ? number : lowest;
  }
}
