import type { BlockView, Transaction } from '../../chain/block.ts';
import type { BlocksAbove } from '../../chain/blocks-above.ts';

/** A partial block as it was published. */
export interface Flashblock {
  /** counts the blocks that were opened; the same for every index of one block */
  readonly payload: bigint;
  /** 0 opens the block */
  readonly index: number;
  /** the whole block up to this index */
  readonly block: BlockView;
  /** what this index added */
  readonly transactions: readonly Transaction[];
}

/** What the sequencer tells, after it is visible to readers. */
export interface FeedEvents {
  /** Whoever listens has blocks that are made in one go published as two of them, which takes time. */
  flashblock: Flashblock;
  /** the same, of blocks that are open only */
  preconfirmed: Flashblock;
  sealed: BlockView;
  /** the head went back, from one block number to a lower one; told before `removed` */
  back: { readonly from: bigint; readonly to: bigint };
  /** the blocks that were taken back: a listener reads what it needs of them, a few at a time */
  removed: BlocksAbove;
  /** a waiting transaction that can't be included any more, and why */
  dropped: { readonly transaction: Transaction; readonly reason: string };
}

/**
 * Typed publish and subscribe, in the order of events, each listener at once. The chain doesn't depend on its
 * listeners: what one throws is reported, and the others are told.
 */
export class Feed {
  readonly #onError: (error: unknown) => void;
  readonly #listeners: { [E in keyof FeedEvents]: Set<(event: FeedEvents[E]) => void> } = {
    flashblock: new Set(),
    preconfirmed: new Set(),
    sealed: new Set(),
    back: new Set(),
    removed: new Set(),
    dropped: new Set(),
  };

  /** @param deps.onError gets what a listener throws */
  constructor(deps: { onError: (error: unknown) => void }) {
    this.#onError = deps.onError;
  }

  on<E extends keyof FeedEvents>(name: E, listener: (event: FeedEvents[E]) => void): Disposable {
    this.#listeners[name].add(listener);
    return { [Symbol.dispose]: () => this.#listeners[name].delete(listener) };
  }

  /** Whether anyone listens: what only a listener needs is not worked out for nobody. */
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
