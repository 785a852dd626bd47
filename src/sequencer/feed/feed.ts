import type { BlockView, Transaction } from '../../chain/block.ts';
import type { BlocksAbove } from '../../chain/blocks-above.ts';

/** A flashblock as it was published: one step in the growth of the open block. */
export interface Flashblock {
  /** running number of the opened block; the same for all flashblocks of a block */
  readonly payload: bigint;
  /** position within the block; flashblock 0 opens it */
  readonly index: number;
  /** the whole block up to and including this flashblock */
  readonly block: BlockView;
  /** the transactions that this flashblock added */
  readonly transactions: readonly Transaction[];
}

/** A transaction that left the mempool or the open block without being included. */
export interface Dropped {
  readonly transaction: Transaction;
  readonly reason: string;
  /** hash of the transaction with the same sender and nonce that replaced it */
  readonly by?: Uint8Array;
}

/** Events of the sequencer. Each is emitted after readers can see the change. */
export interface FeedEvents {
  /**
   * A flashblock for the stream. In modes without pre-confirmation a finished block is published as two flashblocks.
   * That takes time, so it is done only while this event has listeners.
   */
  flashblock: Flashblock;
  /** a flashblock of an open block; only in modes with pre-confirmation */
  preconfirmed: Flashblock;
  sealed: BlockView;
  /** the open block was closed and no other one follows: the mining mode is switched, or the chain has stopped */
  closed: undefined;
  /** the head moved back, from one block number to a lower one; emitted before `removed` */
  rewound: { readonly from: bigint; readonly to: bigint };
  /** the chain began again on another genesis block; emitted before `removed` */
  begun: undefined;
  /** the blocks that were removed from the chain; listeners read them a few at a time */
  removed: BlocksAbove;
  /** a transaction that left the mempool or the open block without being included, and why */
  dropped: Dropped;
}

/**
 * Typed publish and subscribe. `emit` calls the listeners synchronously. The chain doesn't depend on its listeners: an
 * error that one throws is reported, and the remaining listeners are still called.
 */
export class Feed {
  readonly #onError: (error: unknown) => void;
  readonly #listeners: { [E in keyof FeedEvents]: Set<(event: FeedEvents[E]) => void> } = {
    flashblock: new Set(),
    preconfirmed: new Set(),
    sealed: new Set(),
    closed: new Set(),
    rewound: new Set(),
    begun: new Set(),
    removed: new Set(),
    dropped: new Set(),
  };

  /** @param deps.onError called with each error that a listener throws */
  constructor(deps: { onError: (error: unknown) => void }) {
    this.#onError = deps.onError;
  }

  on<E extends keyof FeedEvents>(name: E, listener: (event: FeedEvents[E]) => void): Disposable {
    this.#listeners[name].add(listener);
    return { [Symbol.dispose]: () => this.#listeners[name].delete(listener) };
  }

  /** Whether an event has listeners, so that its payload needn't be computed when it has none. */
  has(name: keyof FeedEvents): boolean {
    return this.#listeners[name].size > 0;
  }

  emit<E extends keyof FeedEvents>(name: E, event: FeedEvents[E]): void {
    for (const listener of this.#listeners[name]) {
      try {
        listener(event);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
