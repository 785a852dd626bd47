import { equalsBytes } from '@ethereumjs/util';
import { CachedSource } from '../state/node-cache.ts';
import { TrieState } from '../state/trie-state.ts';
import type { Awaitable, StateWrites } from '../state/view.ts';
import type { Block, BlockView } from './block.ts';
import type { TrieBlock } from './open-block.ts';
import type { BlockRef, ChainReader, Position } from './refs.ts';
import type { BlockBatch, BlockStore } from './store/block-store.ts';

/** The two ends of the chain. Replaced together, so that no reader sees one move without the other. */
interface Heads {
  readonly latest: TrieBlock;
  /** absent in automine and manual mode, where the block is built when asked for */
  readonly pending: BlockView | undefined;
}

/**
 * The chain as readers see it, and the only place where its ends move. The sequencer is the only writer. Each move is
 * stored before it shows: what a reader was told of survives the process.
 */
export class Chain implements ChainReader {
  readonly #store: BlockStore;
  readonly #source: CachedSource;
  readonly #epoch: bigint;
  readonly #prepared: BlockBatch[] = [];
  #heads: Heads;
  #buildPending: (() => Awaitable<BlockView>) | undefined;
  /** number of the imported head, which is final */
  #finalized = 0n;

  /** @param options.slotsInAnEpoch how far `safe` lags behind; `finalized` lags twice as far */
  constructor(options: { slotsInAnEpoch: bigint }, deps: { store: BlockStore }) {
    this.#epoch = options.slotsInAnEpoch;
    this.#store = deps.store;
    this.#source = new CachedSource({}, deps.store);
    this.#heads = { latest: this.#sealed(this.#head()), pending: undefined };
  }

  get latest(): TrieBlock {
    return this.#heads.latest;
  }

  resolve(ref: BlockRef): Awaitable<BlockView | undefined> {
    const { latest, pending } = this.#heads;
    if ('hash' in ref) {
      if (pending && equalsBytes(pending.hash, ref.hash)) return pending;
      if (equalsBytes(latest.hash, ref.hash)) return latest;
      const block = this.#store.getBlock(ref.hash);
      return block && this.#sealed(block);
    }
    if ('number' in ref) return this.#byNumber(ref.number);
    switch (ref.tag) {
      case 'latest':
        return latest;
      case 'pending':
        return pending ?? this.#pendingNow();
      case 'safe':
        return this.#byNumber(this.#lagging(this.#epoch));
      case 'finalized':
        return this.#byNumber(this.#lagging(2n * this.#epoch));
      case 'earliest':
        return this.#byNumber(0n);
    }
  }

  findTransaction(hash: Uint8Array): Position | undefined {
    const { latest, pending } = this.#heads;
    const waiting = pending ? pending.transactions.findIndex((tx) => equalsBytes(tx.hash, hash)) : -1;
    if (waiting >= 0) return { block: pending!, index: waiting };
    const found = this.#store.findTransaction(hash);
    if (!found) return undefined;
    const block = found.number === latest.header.number ? latest : this.#byNumber(found.number);
    return block && { block, index: found.index };
  }

  /** Hash of a sealed block, for BLOCKHASH. */
  hashOf(number: bigint): Uint8Array | undefined {
    return this.#store.hashOf(number);
  }

  /** The address or slot that a hash stands for in the state tries. */
  preimageOf(hash: Uint8Array): Uint8Array | undefined {
    return this.#store.getPreimage(hash);
  }

  /** Shows a block being built; `undefined` goes back to building it when asked for. */
  showPending(pending: BlockView | undefined): void {
    this.#heads = { latest: this.#heads.latest, pending };
  }

  /** How `pending` is built when nothing is shown. */
  buildPendingWith(build: () => Awaitable<BlockView>): void {
    this.#buildPending = build;
  }

  /** Stores a sealed block in one batch. It shows as `latest` with {@link moveTo}, together with what is pending then. */
  async store(block: Block & { state: TrieState }): Promise<TrieBlock> {
    await this.#store.commit({ block, ...this.#stateBatch(block.state) });
    return this.#sealed(block, block.state.root);
  }

  /** A sealed block that can be built on at once, and is stored by {@link storePrepared}, before it shows. */
  prepare(block: Block & { state: TrieState }): TrieBlock {
    this.#prepared.push({ block, ...this.#stateBatch(block.state) });
    return { ...block, state: TrieState.at(this.#source, block.state.root), sealed: true };
  }

  /** Stores what was prepared, all or nothing. */
  storePrepared(): Promise<void> {
    return this.#store.commitAll(this.#prepared.splice(0));
  }

  /** Moves both ends in one assignment. */
  moveTo(latest: TrieBlock, pending: BlockView | undefined): void {
    this.#heads = { latest, pending };
  }

  /** A dev write: patches the state of the head, stored before this returns. The header keeps its root. */
  async patchHead(writes: StateWrites): Promise<TrieBlock> {
    const { latest } = this.#heads;
    const state = latest.state.fold(writes);
    await this.#store.commitPatch(this.#stateBatch(state));
    return { ...latest, state: TrieState.at(this.#source, state.root) };
  }

  /** Takes sealed blocks back, down to `number`. Nothing shows until {@link moveTo}. */
  async rollbackTo(number: bigint, stateRoot?: Uint8Array): Promise<TrieBlock> {
    await this.#store.setHead(number, stateRoot ? { stateRoot } : {});
    return this.#sealed(this.#head());
  }

  /** Blocks up to this one are final, whatever the lag: an imported chain. */
  finalizeTo(number: bigint): void {
    this.#finalized = number;
  }

  /** What a state adds to the stored ones. It is read through the cache from now on. */
  #stateBatch(state: TrieState) {
    const unstored = state.unstored();
    const nodes = [...unstored.nodes];
    const code = [...unstored.code];
    for (const [hash, bytes] of nodes) this.#source.add(hash, bytes);
    for (const [hash, bytes] of code) this.#source.addCode(hash, bytes);
    return { stateRoot: state.root, nodes, code, preimages: [...unstored.preimages] };
  }

  #head(): Block {
    const { number } = this.#store.head;
    const block = this.#store.getBlock(number);
    if (!block) throw new Error(`the store has no block ${number}, which is its head`);
    return block;
  }

  #byNumber(number: bigint): BlockView | undefined {
    const { latest } = this.#heads;
    if (number === latest.header.number) return latest;
    if (number < 0n || number > latest.header.number) return undefined;
    const block = this.#store.getBlock(number);
    return block && this.#sealed(block);
  }

  #lagging(blocks: bigint): bigint {
    const number = this.#heads.latest.header.number - blocks;
    return number > this.#finalized ? number : this.#finalized;
  }

  #pendingNow(): Awaitable<BlockView> {
    if (!this.#buildPending) throw new Error('nothing builds a pending block');
    return this.#buildPending();
  }

  #sealed(block: Block, stateRoot = this.#store.stateRootOf(block.header.number)): TrieBlock {
    const root = stateRoot ?? block.header.stateRoot;
    return { ...block, state: TrieState.at(this.#source, root), sealed: true };
  }
}
