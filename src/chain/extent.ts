import type { BlockStore } from './store/block-store.ts';

/** How far back a chain reaches that ends with a block: what of it shows, and what of that is safe and final. */
export class Extent {
  readonly #store: Pick<BlockStore, 'first' | 'states' | 'genesis'>;
  readonly #keep: bigint | undefined;
  readonly #epoch: bigint;
  /** up to here the chain is final, whatever the lag: it was imported */
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
   * The first block that shows, besides the genesis block. Counted from the head, not from what is still on the disk.
   * What was removed stays so when the head goes back.
   */
  first(head: bigint): bigint {
    const { first } = this.#store;
    const counted = this.#keep === undefined ? first : head - this.#keep + 1n;
    const number = counted > first ? counted : first;
    // Between a reset to the genesis block and the move of the head there, too.
    return number > head ? head : number;
  }

  /** The first block from which on all states are known, besides the genesis block's. */
  states(head: bigint): bigint {
    const first = this.first(head);
    const { states } = this.#store;
    return states > first ? states : first;
  }

  /** The genesis block always: a reset goes back there. */
  shows(number: bigint, head: bigint): boolean {
    return number === this.#store.genesis || number >= this.first(head);
  }

  /** The block that lags behind the head by so many epochs. */
  lagging(epochs: bigint, head: bigint): bigint {
    const number = head - epochs * this.#epoch;
    const first = this.first(head);
    const lowest = this.finalized > first ? this.finalized : first;
    return number > lowest ? number : lowest;
  }
}
