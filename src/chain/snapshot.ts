import { equalsBytes } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import { type Awaitable, andThen } from '../state/view.ts';
import type { Block, BlockView, CallView, TrieBlock } from './block.ts';
import type { BlockRef, LoggedBlocks, OpenSnapshot, PendingBlock, TransactionPosition } from './refs.ts';
import type { ShownRange } from './shown-range.ts';
import type { BlockStore } from './store/block-store.ts';

/** `latest` and `pending` of a chain at one moment. */
export interface Ends {
  readonly latest: TrieBlock;
  /** the open block if readers see it; otherwise a function that captures the block that would be mined now */
  readonly pending: BlockView | (() => PendingBlock);
}

export interface SnapshotDeps {
  readonly store: Pick<BlockStore, 'genesis' | 'getBlock' | 'findTransaction'>;
  readonly range: ShownRange;
  readonly logged: LoggedBlocks;
  /** makes a view of a block in the store */
  readonly sealed: (block: Block) => TrieBlock;
  /** Returns the reader of blocks as they were after a flashblock; `undefined` if the chain has none (yet). */
  readonly flashblocks: () => ReadFlashblock | undefined;
  /** the chain at the moment of the call */
  readonly now: () => ChainSnapshot;
}

/** The block with this number as it was after its flashblock `index`. @throws DevnetError */
export type ReadFlashblock = (number: bigint, index: bigint) => Awaitable<BlockView>;

/**
 * The chain at one moment: `latest` and `pending` don't change, so that all reads of a request are consistent. A `pending`
 * block that isn't open is built lazily and once, from the data of that moment. Older blocks are read from the store, so a
 * revert or a reorg may remove some of them.
 */
export class ChainSnapshot implements OpenSnapshot {
  readonly latest: TrieBlock;
  /** the open block, if readers see it */
  readonly shown: BlockView | undefined;
  readonly #captureNext: (() => PendingBlock) | undefined;
  #captured: PendingBlock | undefined;
  readonly #deps: SnapshotDeps;

  constructor({ latest, pending }: Ends, deps: SnapshotDeps) {
    this.latest = latest;
    if (typeof pending === 'function') this.#captureNext = pending;
    else this.shown = pending;
    this.#deps = deps;
  }

  /** the block that would be mined at this moment; `undefined` while one is shown */
  get #next(): PendingBlock | undefined {
    this.#captured ??= this.#captureNext?.();
    return this.#captured;
  }

  /** whether `pending` was captured */
  get isCaptured(): boolean {
    return this.#captured !== undefined;
  }

  capture(): void {
    void this.#next;
  }

  get genesis(): bigint {
    return this.#deps.store.genesis;
  }

  get first(): bigint {
    return this.#deps.range.first(this.latest.header.number);
  }

  get states(): bigint {
    return this.#deps.range.states(this.latest.header.number);
  }

  get logged(): LoggedBlocks {
    return this.#deps.logged;
  }

  snapshot(): ChainSnapshot {
    const snapshot = this.openSnapshot();
    snapshot.capture();
    return snapshot;
  }

  openSnapshot(): ChainSnapshot {
    return this.#deps.now();
  }

  resolve(ref: BlockRef): Awaitable<BlockView | undefined> {
    const { latest, shown } = this;
    const { range, store, sealed } = this.#deps;
    if ('hash' in ref) {
      if (shown && equalsBytes(shown.hash, ref.hash)) return shown;
      if (equalsBytes(latest.hash, ref.hash)) return latest;
      const block = store.getBlock(ref.hash);
      return block && range.shows(block.header.number, latest.header.number) ? sealed(block) : undefined;
    }
    if ('number' in ref) return this.#byNumber(ref.number);
    if ('flashblock' in ref) return this.#atFlashblock(ref);
    switch (ref.tag) {
      case 'latest':
        return latest;
      case 'pending':
        return shown ?? this.#next!.block();
      case 'safe':
        return this.#byNumber(range.lagging(1n, latest.header.number));
      case 'finalized':
        return this.#byNumber(range.lagging(2n, latest.header.number));
      case 'earliest':
        return this.#byNumber(this.first);
    }
  }

  callView(ref: BlockRef): Awaitable<CallView | undefined> {
    const isNext = !this.shown && 'tag' in ref && ref.tag === 'pending';
    return isNext ? this.#next!.callView() : this.resolve(ref);
  }

  findTransaction(hash: Uint8Array): TransactionPosition | undefined {
    const { shown } = this;
    const last = hash[31];
    const pendingIndex = shown
      ? shown.transactions.findIndex((tx) => tx.hash[31] === last && equalsBytes(tx.hash, hash))
      : -1;
    if (pendingIndex >= 0) return { block: shown!, index: pendingIndex };
    const found = this.#deps.store.findTransaction(hash);
    const block = found && this.#byNumber(found.number);
    return block && { block, index: found.index };
  }

  #atFlashblock({ flashblock, of }: Extract<BlockRef, { flashblock: unknown }>): Awaitable<BlockView> {
    const at = (number: bigint) => {
      const read = this.#deps.flashblocks();
      if (read) return read(number, flashblock);
      const expected = 'this chain keeps none';
      throw new DevnetError('flashblockNotFound', { block: number, index: flashblock, expected });
    };
    return 'number' in of
      ? at(of.number)
      : andThen(this.resolve(of), (block) => at(block?.header.number ?? 0n));
  }

  #byNumber(number: bigint): TrieBlock | undefined {
    const { store, range, sealed } = this.#deps;
    const head = this.latest.header.number;
    if (number === head) return this.latest;
    if (number > head || !range.shows(number, head)) return undefined;
    const block = store.getBlock(number);
    return block && sealed(block);
  }
}
