import type { BlockStore } from './store/block-store.ts';

/** Decides for a given head which blocks are shown, and which of those are safe and finalized. */
export class ShownRange {
  readonly #store: Pick<BlockStore, 'first' | 'states' | 'genesis'>;
  readonly #keep: bigint | undefined;
  readonly #epoch: bigint;
  /** number of the newest block that is finalized regardless of its distance from the head, because it was imported */
  finalized = 0n;

  /** @param options see `Chain` */
  constructor(
    options: { slotsInAnEpoch: bigint; keepBlocks?: bigint | undefined },
    deps: { store: Pick<BlockStore, 'first' | 'states' | 'genesis'> },
  ) {
    this.#keep = options.keepBlocks;
    this.#epoch = options.slotsInAnEpoch;
    this.#store = deps.store;
  }

  /**
   * Number of the first block that is shown, besides the genesis block. Counted back from the head, even if older blocks are
   * still on disk. Pruned blocks aren't shown again when the head moves back.
   */
  first(head: bigint): bigint {
    const { first } = this.#store;
    const counted = this.#keep === undefined ? first : head - this.#keep + 1n;
    const number = counted > first ? counted : first;
    // Never beyond the head: a reset to the genesis block removes the later blocks before the head moves.
    return number > head ? head : number;
  }

  /** Number of the first block from which on all states are available. The genesis block's state is always available. */
  states(head: bigint): bigint {
    const first = this.first(head);
    const { states } = this.#store;
    return states > first ? states : first;
  }

  /** Whether a block is shown. The genesis block is always shown, because a reset returns to it. */
  shows(number: bigint, head: bigint): boolean {
    return number === this.#store.genesis || number >= this.first(head);
  }

  /** Number of the block `epochs` epochs before the head, but at least the first shown block and `finalized`. */
  lagging(epochs: bigint, head: bigint): bigint {
    const number = head - epochs * this.#epoch;
    const first = this.first(head);
    const lowest = this.finalized > first ? this.finalized : first;
    return number > lowest ? number : lowest;
  }
}
