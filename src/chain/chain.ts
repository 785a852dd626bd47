import { equalsBytes } from '@ethereumjs/util';
import type { ChainState } from '../state/chain-state.ts';
import { Overlay } from '../state/overlay.ts';
import { PackedWrites } from '../state/packed-writes.ts';
import { type Awaitable, andThen, type StateWrites } from '../state/view.ts';
import { NO_WRITES } from '../state/writes.ts';
import { giveWay } from '../turns.ts';
import {
  type Block,
  type BlockView,
  bareBlock,
  type CallView,
  type Header,
  type TrieBlock,
  withState,
} from './block.ts';
import { timestampMs } from './block-time.ts';
import { BlocksAbove } from './blocks-above.ts';
import type { ForkOrigin } from './fork-origin.ts';
import { type FrozenChain, frozenChain } from './frozen-chain.ts';
import { ReadLoggedBlocks } from './logged-blocks.ts';
import type { BlockRef, ChainReader, PendingBlock, TransactionPosition } from './refs.ts';
import type { Reservation } from './reservation.ts';
import { ShownRange } from './shown-range.ts';
import { ChainSnapshot, type ReadFlashblock, type SnapshotDeps } from './snapshot.ts';
import type { Meta } from './store/batch-writer.ts';
import type { BlockStore, StoreBatch } from './store/block-store.ts';
import { type Prepared, StoredStates } from './stored-states.ts';

/** Wraps a write to the store, to do other work before the write starts or completes. */
type Writing = (write: () => Awaitable<void>) => Awaitable<void>;

/** Makes the state after reserved blocks. @param last number of the last reserved block */
type StateAfter = (reservation: Reservation, last: bigint, state: ChainState) => Awaitable<ChainState>;

/** For a rollback: the state that the new head's view must read, if it isn't the state that its view reads now. */
type GoingBack = NonNullable<Parameters<BlockStore['replaceAbove']>[2]>;

/**
 * The chain as readers see it. `latest` and `pending` change only here. Each change is stored before it is shown, so that
 * everything that a reader has seen survives the process. The sequencer is the only writer.
 */
export class Chain implements ChainReader {
  readonly #store: BlockStore;
  readonly #writing: Writing;
  readonly #onReturn: (state: ChainState) => void;
  readonly #computeRoot: (state: ChainState) => void;
  readonly #stateAfter: StateAfter;
  readonly #states: StoredStates;
  readonly #slot: number | undefined;
  readonly #range: ShownRange;
  readonly #snapshots: SnapshotDeps;
  /** pending block that is built again on each call, as it would be mined at that moment */
  readonly #nextNow: PendingBlock = {
    block: () => this.#momentNow().block(),
    callView: () => this.#momentNow().callView(),
  };
  readonly logged: ReadLoggedBlocks;
  /**
   * `latest` and `pending`, replaced together, so that no reader sees only one of them change.
   */
  #ends: ChainSnapshot;
  /** cached result of {@link openSnapshot}, shared until a reader captures its `pending` block */
  #open: ChainSnapshot | undefined;
  /** cached views of blocks; discarded when a block's state may have changed, or a block may have been removed */
  #views = new WeakMap<Block, TrieBlock>();
  #pendingAt: (() => PendingBlock) | undefined;
  #flashblocks: ReadFlashblock | undefined;
  /** whether dev writes are gathered, see {@link gather} */
  #gathers = false;
  /** the head with the dev writes that were gathered and aren't stored yet */
  #gathered: (BlockView & { readonly state: Overlay }) | undefined;

  /**
   * @param options.slotsInAnEpoch number of blocks by which `safe` lags behind the head; `finalized` lags by twice that number
   * @param options.keepBlocks shows only this many of the newest blocks, besides the genesis block
   * @param options.slotMs milliseconds between blocks, on chains whose blocks report their time in milliseconds
   * @param deps.writing runs every write of the store
   * @param deps.origin the chain that this one is forked from
   * @param deps.stateAfter makes the state after reserved blocks; default: the state before them
   * @param deps.computeRoot computes the root of a state after a dev write; default: the state's own tries compute it
   * @param deps.onReturn called with the new head's state when blocks have been removed
   */
  constructor(
    options: { slotsInAnEpoch: bigint; slotMs?: number | undefined; keepBlocks?: bigint | undefined },
    deps: {
      store: BlockStore;
      writing?: Writing;
      origin?: ForkOrigin | undefined;
      onReturn?: (state: ChainState) => void;
      computeRoot?: (state: ChainState) => void;
      stateAfter?: StateAfter;
    },
  ) {
    this.#writing = deps.writing ?? ((write) => write());
    this.#stateAfter = deps.stateAfter ?? ((_reservation, _last, state) => state);
    this.#onReturn = deps.onReturn ?? (() => {});
    this.#computeRoot = deps.computeRoot ?? (() => {});
    this.#slot = options.slotMs;
    this.#range = new ShownRange(options, deps);
    this.#store = deps.store;
    const prunes = options.keepBlocks !== undefined;
    this.#states = new StoredStates({ prunes, origin: deps.origin }, deps);
    this.logged = new ReadLoggedBlocks({ store: deps.store, timeOf: (header) => this.timeOf(header) });
    this.#snapshots = {
      store: deps.store,
      range: this.#range,
      logged: this.logged,
      sealed: (block) => this.#viewOf(block),
      flashblocks: () => this.#flashblocks,
      now: () => this.openSnapshot(),
    };
    this.#ends = this.#endsAt(this.#sealed(this.#head()), undefined);
  }

  get latest(): TrieBlock {
    return this.#ends.latest;
  }

  get genesis(): bigint {
    return this.#store.genesis;
  }

  /** The block that the next transaction builds on: the block being built when it is shown, else `latest`. */
  get newest(): BlockView {
    return this.#ends.shown ?? this.#ends.latest;
  }

  get first(): bigint {
    return this.#ends.first;
  }

  get states(): bigint {
    return this.#ends.states;
  }

  /** The chain as it is now, for export. The caller must ensure that nothing changes the chain during the call. */
  async freeze(): Promise<FrozenChain> {
    const { latest, first } = this;
    return frozenChain(latest, { first, blocks: await this.above(first - 1n) }, this.#store);
  }

  snapshot(): ChainSnapshot {
    return this.#ends.snapshot();
  }

  openSnapshot(): ChainSnapshot {
    const { latest, shown } = this.#ends;
    if (shown) return this.#ends;
    if (this.#open?.latest !== latest || this.#open.isCaptured)
      this.#open = new ChainSnapshot({ latest, pending: () => this.#momentNow() }, this.#snapshots);
    return this.#open;
  }

  resolve(ref: BlockRef): Awaitable<BlockView | undefined> {
    return this.#ends.resolve(ref);
  }

  callView(ref: BlockRef): Awaitable<CallView | undefined> {
    return this.#ends.callView(ref);
  }

  findTransaction(hash: Uint8Array): TransactionPosition | undefined {
    return this.#ends.findTransaction(hash);
  }

  /** Hash of a sealed block, by number. */
  hashOf(number: bigint): Uint8Array | undefined {
    return this.#store.hashOf(number);
  }

  /** Block hash for BLOCKHASH: like {@link hashOf}, and on a forked chain also for blocks before its genesis block. */
  blockHash(number: bigint): Awaitable<Uint8Array | undefined> {
    return this.hashOf(number) ?? (number < this.genesis ? this.#states.origin?.hashOf(number) : undefined);
  }

  /** The address or slot whose keccak256 is a key of the state tries. */
  preimageOf(hash: Uint8Array): Uint8Array | undefined {
    return this.#store.getPreimage(hash);
  }

  /** A block's time in milliseconds, as a member of its view; absent on chains whose block times are whole seconds. */
  timeOf(
    header: Header,
    headerOf = (number: bigint) => this.#store.header(number),
  ): { timestampMs?: bigint } {
    if (this.#slot === undefined) return {};
    return { timestampMs: timestampMs(header, this.#slot, headerOf) };
  }

  /** Shows an open block as `pending`; with `undefined`, `pending` is built lazily again. */
  showPending(pending: BlockView | undefined): void {
    this.#ends = this.#endsAt(this.#ends.latest, pending);
  }

  /**
   * Sets how `pending` is built while no open block is shown.
   * @param pendingAt captures the chain and the mempool, from which the pending block is later built
   */
  buildPendingWith(pendingAt: () => PendingBlock): void {
    this.#pendingAt = pendingAt;
  }

  /** Sets the reader of blocks as they were after a given flashblock. */
  readFlashblocksWith(reader: ReadFlashblock): void {
    this.#flashblocks = reader;
  }

  /**
   * Stores a sealed block in one batch. {@link moveTo} then shows it as `latest`, together with the pending block.
   * @param meta values by name, written in the same batch
   */
  store(block: Block & { state: ChainState }, meta: Meta = {}): Awaitable<TrieBlock> {
    const added = this.#states.added(block.state);
    const written = this.#writing(() => this.#store.commit({ block, ...added, meta }));
    return andThen(written, () => {
      const sealed = this.#sealed(block, this.#states.held(block, block.state, added.addedNodes));
      this.logged.added(sealed);
      return sealed;
    });
  }

  /** Prepares a sealed block, on which other blocks can then be built. {@link storeAll} must store it before it is shown. */
  prepare(block: Block & { state: ChainState }): Prepared {
    return this.#states.prepared(block);
  }

  /** Prepares reserved blocks, which are computed lazily. Otherwise like {@link prepare}: other blocks can be built on the last one. */
  async prepareReserved(reservation: Reservation): Promise<Prepared> {
    const { last } = reservation;
    const state = await this.#stateAfter(reservation, last, this.#ends.latest.state);
    return this.#states.prepared({ ...reservation.block(last), state }, reservation);
  }

  /** Stores prepared blocks atomically; otherwise like {@link store}. @returns the blocks, without the reserved ones */
  async storeAll(prepared: readonly Prepared[], meta: Meta = {}): Promise<TrieBlock[]> {
    const last = prepared.at(-1);
    const batches = prepared.map((one) => (one === last ? { ...one.batch, meta } : one.batch));
    await this.#writing(() => this.#store.commitAll(batches));
    const added = prepared.reduce((sum, { batch: { addedNodes } }) => sum + addedNodes, 0);
    return prepared.flatMap(({ batch, block: { state } }) => {
      if (!('block' in batch)) return [];
      const { block, stateRoot } = batch;
      const held =
        batch === last?.batch ? this.#states.held(block, state, added) : this.#states.at(block, stateRoot);
      return this.#sealed(block, held);
    });
  }

  /** The kept sealed blocks above `number`, see {@link BlocksAbove}. */
  above(number: bigint): Promise<BlocksAbove> {
    const { latest } = this.#ends;
    const first = this.#range.first(latest.header.number);
    return BlocksAbove.read(number < first ? first : number + 1n, latest.header.number, {
      store: this.#store,
      timeOf: (...header) => this.timeOf(...header),
    });
  }

  /** Shows a new `latest` and `pending` in one assignment. */
  moveTo(latest: TrieBlock, pending: BlockView | undefined): void {
    this.#ends = this.#endsAt(latest, pending);
  }

  /** Gathers the dev writes of a synchronous function. The caller must then call {@link settle}, which stores them together. */
  gather(run: () => void): void {
    this.#gathers = true;
    try {
      run();
    } finally {
      this.#gathers = false;
    }
  }

  /** The head with the dev writes that were gathered so far: the next dev write applies to it. */
  get patched(): BlockView {
    return this.#gathered ?? this.#ends.latest;
  }

  /** Gathers a dev write for {@link settle}. @returns false if no writes are being gathered: the caller must store it */
  gathered(writes: StateWrites): boolean {
    if (!this.#gathers || writes instanceof PackedWrites) return false;
    const { latest } = this.#ends;
    this.#gathered ??= withState(latest, new Overlay(latest.state));
    this.#gathered.state.apply(writes);
    return true;
  }

  /** Stores the gathered dev writes, and shows them. */
  settle(): Awaitable<void> {
    const gathered = this.#gathered;
    if (!gathered) return undefined;
    this.#gathered = undefined;
    return andThen(this.patchHead(gathered.state.writes()), (head) => this.moveTo(head, undefined));
  }

  /**
   * Applies a dev write (such as `anvil_setBalance`) to the head's state, and stores it before this returns or resolves.
   * The header keeps its state root.
   */
  patchHead(writes: StateWrites): Awaitable<TrieBlock> {
    if (this.#gathered) return andThen(this.settle(), () => this.patchHead(writes));
    const { latest } = this.#ends;
    if (writes instanceof PackedWrites) return this.#patchInTurns(latest, writes);
    return this.#patch(latest, latest.state, writes, true);
  }

  /** Stores the writes in parts. They become visible together, after the last part. */
  async #patchInTurns(latest: TrieBlock, writes: PackedWrites): Promise<TrieBlock> {
    let patched = latest;
    for await (const part of writes.parts()) {
      patched = await this.#patch(latest, patched.state, part, false);
      await giveWay();
    }
    return this.#patch(latest, patched.state, NO_WRITES, true);
  }

  /** @param isLast whether the head's view reads the new state from now on; otherwise the state is only stored */
  #patch(latest: TrieBlock, before: ChainState, writes: StateWrites, isLast: boolean): Awaitable<TrieBlock> {
    const state = before.fold(writes);
    this.#computeRoot(state);
    const added = this.#states.added(state);
    const written = this.#writing(() =>
      this.#store.commitPatch(isLast ? added : { ...added, stateRoot: this.#store.head.stateRoot }),
    );
    return andThen(written, () => {
      if (isLast) this.#views = new WeakMap();
      return withState(latest, this.#states.held(latest, state, added.addedNodes));
    });
  }

  /**
   * The view that a block below the head will have after {@link rollbackTo}, so that blocks can be built on it before the rollback.
   * @param stateRoot root of the state that the view reads; default: the state that its view reads now
   */
  blockBehind(number: bigint, stateRoot?: Uint8Array): Awaitable<TrieBlock> {
    const block = this.#store.getBlock(number);
    if (!block) throw new Error(`there is no block ${number} to go back to`);
    return andThen(this.#stateWithin(number, stateRoot), (state) => {
      if (state) return withState(this.#viewOf(block), state);
      if (!stateRoot) return this.#viewOf(block);
      const view = this.#viewOf(block);
      return equalsBytes(view.state.root, stateRoot)
        ? view
        : withState(view, this.#states.at(block, stateRoot));
    });
  }

  /** Whether `latest` and its state are the store's head: false after a write that isn't shown yet. */
  get isShown(): boolean {
    const { hash, stateRoot } = this.#store.head;
    return equalsBytes(hash, this.latest.hash) && equalsBytes(stateRoot, this.latest.state.root);
  }

  /**
   * Prepares a block for {@link replaceAbove}; other blocks can be built on it immediately. Stores its state, but not the block: if the
   * block is discarded, nothing refers to that state.
   */
  async prepareAside(block: Block & { state: ChainState }): Promise<Prepared> {
    const { addedNodes, ...added } = this.#states.added(block.state);
    await this.#store.commitPatch({ ...added, stateRoot: this.#store.head.stateRoot });
    const { stateRoot } = added;
    const batch = { block, stateRoot, nodes: [], code: [], preimages: [], addedNodes: 0 };
    return { batch, block: this.#sealed(block, this.#states.held(block, block.state, addedNodes)) };
  }

  /**
   * Replaces the sealed blocks above `number` with prepared ones in one atomic write. Not shown until {@link moveTo}.
   * @returns the new blocks, oldest first
   */
  async replaceAbove(number: bigint, prepared: readonly Prepared[]): Promise<TrieBlock[]> {
    const batches = prepared.map(({ batch }) => batch as StoreBatch);
    const options = await this.#goingBack(number, undefined);
    await this.#writing(() => this.#store.replaceAbove(number, batches, options));
    this.#views = new WeakMap();
    return prepared.map(({ block }) => block);
  }

  /**
   * Removes the sealed blocks above `number` from the chain. Not shown until {@link moveTo}.
   * @param behind the result of {@link blockBehind}, if a block was built on it
   */
  rollbackTo(number: bigint, stateRoot?: Uint8Array, behind?: TrieBlock): Awaitable<TrieBlock> {
    const written = andThen(this.#goingBack(number, stateRoot), (options) =>
      this.#writing(() => this.#store.setHead(number, options)),
    );
    return andThen(written, () => {
      this.#views = new WeakMap();
      const block = this.#head();
      if (behind) this.#views.set(block, behind);
      const head = this.#viewOf(block);
      this.#onReturn(head.state);
      return head;
    });
  }

  /** The state that a rollback to block `number` must store or select. */
  #goingBack(number: bigint, stateRoot: Uint8Array | undefined): Awaitable<GoingBack> {
    return andThen(this.#stateWithin(number, stateRoot), (state): GoingBack => {
      if (state) return { stateRoot: state.root, added: this.#states.added(state) };
      return stateRoot ? { stateRoot } : {};
    });
  }

  /** The state after block `number`, if that is a reserved block and the rollback removes later blocks of the same reservation. */
  #stateWithin(number: bigint, stateRoot: Uint8Array | undefined): Awaitable<ChainState | undefined> {
    const reservation = number < this.latest.header.number && this.#store.reservations.at(number);
    const block = reservation && this.#store.getBlock(number);
    if (
      !block ||
      !equalsBytes(this.#store.stateRootOf(number) ?? reservation.stateRoot, reservation.stateRoot)
    )
      return undefined;
    // A snapshot from before an earlier rollback may have a different state root.
    if (stateRoot && !equalsBytes(stateRoot, reservation.stateRoot)) return undefined;
    const { state } = this.#viewOf(block);
    return this.#stateAfter(reservation, number, state);
  }

  /** Restarts the chain with another genesis block, forked from `origin` if given. Not shown until {@link moveTo}. */
  async begin(genesis: Block & { state: ChainState }, origin: ForkOrigin | undefined): Promise<TrieBlock> {
    await this.#writing(() => this.#store.begin({ block: genesis, ...this.#states.added(genesis.state) }));
    this.#states.origin = origin;
    this.#views = new WeakMap();
    this.#range.finalized = 0n;
    return this.#sealed(this.#head());
  }

  /** State root of the genesis block when it was made, without later dev writes. */
  get initialRoot(): Uint8Array {
    return this.#states.origin?.root ?? this.#store.genesisRoot;
  }

  /** Marks the blocks up to `number` as finalized, regardless of their distance from the head. Used after an import. */
  finalizeTo(number: bigint): void {
    this.#range.finalized = number;
  }

  #head(): Block {
    const { number } = this.#store.head;
    const block = this.#store.getBlock(number);
    if (block) return block;
    throw new Error(`the store has no block ${number}, which is its head`);
  }

  #endsAt(latest: TrieBlock, pending: BlockView | undefined): ChainSnapshot {
    return new ChainSnapshot({ latest, pending: pending ?? (() => this.#nextNow) }, this.#snapshots);
  }

  #momentNow(): PendingBlock {
    if (!this.#pendingAt) throw new Error('nothing builds a pending block');
    return this.#pendingAt();
  }

  /** The view of a block in the chain, cached while the block is in memory. */
  #viewOf(block: Block): TrieBlock {
    let view = this.#views.get(block);
    if (!view) {
      view = this.#sealed(block);
      this.#views.set(block, view);
    }
    return view;
  }

  #sealed(block: Block, state = this.#states.at(block)): TrieBlock {
    const { timestampMs } = this.timeOf(block.header);
    return { ...bareBlock(block), state, sealed: true, ...(timestampMs !== undefined && { timestampMs }) };
  }
}
