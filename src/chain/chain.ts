import type { Engine } from '../evm/engine.ts';
import type { ChainState } from '../state/chain-state.ts';
import type { Awaitable, StateWrites } from '../state/view.ts';
import type { Block, BlockView, Header, TrieBlock } from './block.ts';
import type { BlockPlan } from './block-draft.ts';
import { timestampMs } from './block-time.ts';
import { BlocksAbove } from './blocks-above.ts';
import { emptyBlocksAfter } from './empty-blocks.ts';
import { Extent } from './extent.ts';
import { type KeptChain, keptChain } from './kept-chain.ts';
import type { Origin } from './origin.ts';
import type { BlockRef, ChainReader, Position } from './refs.ts';
import { ChainSnapshot, type SnapshotDeps } from './snapshot.ts';
import type { Meta } from './store/batch-writer.ts';
import type { BlockStore } from './store/block-store.ts';
import { type Prepared, StoredStates } from './stored-states.ts';

/** Runs a write, and may see to what comes before it is done. */
type Writing = <T>(write: () => Promise<T>) => Promise<T>;

/**
 * The chain as readers see it, and the only place where its ends move, each time stored before it shows: what a reader
 * was told of survives the process. The sequencer is the only writer.
 */
export class Chain implements ChainReader {
  readonly #store: BlockStore;
  readonly #writing: Writing;
  readonly #states: StoredStates;
  readonly #slot: number | undefined;
  readonly #extent: Extent;
  readonly #snapshots: SnapshotDeps;
  /** Both ends of the chain, replaced together, so that no reader sees one move without the other. */
  #ends: ChainSnapshot;
  #pendingAt: (() => () => Awaitable<BlockView>) | undefined;

  /**
   * @param options.slotsInAnEpoch how far `safe` lags behind; `finalized` lags twice as far
   * @param options.keepBlocks only so many of the newest blocks are shown, besides the genesis block
   * @param options.slotMs milliseconds from block to block, where blocks tell theirs
   * @param deps.writing runs every write of the store
   * @param deps.origin the chain that this one is forked from
   */
  constructor(
    options: { slotsInAnEpoch: bigint; slotMs?: number | undefined; keepBlocks?: bigint | undefined },
    deps: { store: BlockStore; writing?: Writing; origin?: Origin | undefined },
  ) {
    this.#writing = deps.writing ?? ((write) => write());
    this.#slot = options.slotMs;
    this.#extent = new Extent(options, deps);
    this.#store = deps.store;
    const prunes = options.keepBlocks !== undefined;
    this.#states = new StoredStates({ prunes, origin: deps.origin }, deps);
    this.#snapshots = {
      store: deps.store,
      extent: this.#extent,
      sealed: (block) => this.#sealed(block),
      now: () => this.snapshot(),
    };
    this.#ends = this.#endsAt(this.#sealed(this.#head()), undefined);
  }

  get latest(): TrieBlock {
    return this.#ends.latest;
  }

  get genesis(): bigint {
    return this.#store.genesis;
  }

  /** What the next transaction finds: the block that is being built where it shows, else `latest`. */
  get newest(): BlockView {
    return this.#ends.shown ?? this.#ends.latest;
  }

  get first(): bigint {
    return this.#ends.first;
  }

  get states(): bigint {
    return this.#ends.states;
  }

  /** The chain as it stands. Only while nothing changes it. */
  async kept(): Promise<KeptChain> {
    const { latest, first } = this;
    return keptChain(latest, { first, blocks: await this.above(first - 1n) }, this.#store);
  }

  snapshot(): ChainSnapshot {
    const { latest, shown } = this.#ends;
    return shown ? this.#ends : new ChainSnapshot({ latest, pending: this.#momentNow() }, this.#snapshots);
  }

  resolve(ref: BlockRef): Awaitable<BlockView | undefined> {
    return this.#ends.resolve(ref);
  }

  findTransaction(hash: Uint8Array): Position | undefined {
    return this.#ends.findTransaction(hash);
  }

  /** Hash of a sealed block. */
  hashOf(number: bigint): Uint8Array | undefined {
    return this.#store.hashOf(number);
  }

  /** The same for BLOCKHASH, which looks at what is before the genesis block of a forked chain, too. */
  blockHash(number: bigint): Awaitable<Uint8Array | undefined> {
    return this.hashOf(number) ?? (number < this.genesis ? this.#states.origin?.hashOf(number) : undefined);
  }

  /** The address or slot that a hash stands for in the state tries. */
  preimageOf(hash: Uint8Array): Uint8Array | undefined {
    return this.#store.getPreimage(hash);
  }

  /** A block's time in milliseconds as a member of its view; none on chains that count in seconds. */
  timeOf(
    header: Header,
    headerOf = (number: bigint) => this.#store.header(number),
  ): { timestampMs?: bigint } {
    if (this.#slot === undefined) return {};
    return { timestampMs: timestampMs(header, this.#slot, headerOf) };
  }

  /** Shows a block being built; `undefined` goes back to building it when asked for. */
  showPending(pending: BlockView | undefined): void {
    this.#ends = this.#endsAt(this.#ends.latest, pending);
  }

  /** @param pendingAt takes note of the moment, for building what is pending then, where nothing is shown */
  buildPendingWith(pendingAt: () => () => Awaitable<BlockView>): void {
    this.#pendingAt = pendingAt;
  }

  /**
   * Stores a sealed block in one batch. It shows as `latest` with {@link moveTo}, together with what is pending then.
   * @param meta values by name, written in the same batch
   */
  async store(block: Block & { state: ChainState }, meta: Meta = {}): Promise<TrieBlock> {
    const added = this.#states.added(block.state);
    await this.#writing(() => this.#store.commit({ block, ...added, meta }));
    return this.#sealed(block, this.#states.held(block, block.state, added.nodes.length));
  }

  /** A sealed block that can be built on at once; {@link storeAll} takes it, before it shows. */
  prepare(block: Block & { state: ChainState }): Prepared {
    return this.#states.prepared(block);
  }

  /** Makes empty blocks on the head, see {@link emptyBlocksAfter}, prepared. @returns `undefined` also on a forked chain */
  async emptyBlocks(plan: BlockPlan, engine: Engine) {
    const { latest } = this.#ends;
    const state = this.#states.run(latest.state);
    const next = state && (await emptyBlocksAfter(latest, plan, { engine, state }));
    if (!next) return undefined;
    return (parent: BlockView, own: BlockPlan): Prepared | undefined => {
      const empty = next(parent, own);
      return empty && this.#states.preparedEmpty(empty);
    };
  }

  /** Stores what was prepared, all or nothing; otherwise as {@link store}. */
  async storeAll(prepared: readonly Prepared[], meta: Meta = {}): Promise<TrieBlock[]> {
    const last = prepared.at(-1);
    const batches = prepared.map((one) => (one === last ? { ...one.batch, meta } : one.batch));
    await this.#writing(() => this.#store.commitAll(batches));
    const added = prepared.reduce((sum, { batch: { nodes } }) => sum + nodes.length, 0);
    return prepared.map(({ batch: { block, stateRoot }, block: { state } }) =>
      this.#sealed(
        block,
        block === last?.batch.block
          ? this.#states.held(block, state, added)
          : this.#states.at(block, stateRoot),
      ),
    );
  }

  /** The sealed blocks above `number` that are kept, see {@link BlocksAbove}. */
  above(number: bigint): Promise<BlocksAbove> {
    const { latest } = this.#ends;
    const first = this.#extent.first(latest.header.number);
    return BlocksAbove.read(number < first ? first : number + 1n, latest.header.number, {
      store: this.#store,
      timeOf: (...header) => this.timeOf(...header),
    });
  }

  /** Moves both ends in one assignment. */
  moveTo(latest: TrieBlock, pending: BlockView | undefined): void {
    this.#ends = this.#endsAt(latest, pending);
  }

  /** A dev write: patches the state of the head, stored before this returns. The header keeps its root. */
  async patchHead(writes: StateWrites): Promise<TrieBlock> {
    const { latest } = this.#ends;
    const state = latest.state.fold(writes);
    const added = this.#states.added(state);
    await this.#writing(() => this.#store.commitPatch(added));
    return { ...latest, state: this.#states.held(latest, state, added.nodes.length) };
  }

  /** Takes sealed blocks back, down to `number`. Nothing shows until {@link moveTo}. */
  async rollbackTo(number: bigint, stateRoot?: Uint8Array): Promise<TrieBlock> {
    await this.#writing(() => this.#store.setHead(number, stateRoot ? { stateRoot } : {}));
    return this.#sealed(this.#head());
  }

  /** Begins anew with another genesis block, on a chain's that this one is forked from. Nothing shows until {@link moveTo}. */
  async begin(genesis: Block & { state: ChainState }, origin: Origin | undefined): Promise<TrieBlock> {
    await this.#writing(() => this.#store.begin({ block: genesis, ...this.#states.added(genesis.state) }));
    this.#states.origin = origin;
    this.#extent.finalized = 0n;
    return this.#sealed(this.#head());
  }

  /** Root of the state that the genesis block was made with. */
  get initialRoot(): Uint8Array {
    return this.#states.origin?.root ?? this.#store.genesisRoot;
  }

  /** Blocks up to this one are final, whatever the lag: an imported chain. */
  finalizeTo(number: bigint): void {
    this.#extent.finalized = number;
  }

  #head(): Block {
    const { number } = this.#store.head;
    const block = this.#store.getBlock(number);
    if (block) return block;
    throw new Error(`the store has no block ${number}, which is its head`);
  }

  #endsAt(latest: TrieBlock, pending: BlockView | undefined): ChainSnapshot {
    return new ChainSnapshot({ latest, pending: pending ?? (() => this.#momentNow()()) }, this.#snapshots);
  }

  #momentNow(): () => Awaitable<BlockView> {
    if (!this.#pendingAt) throw new Error('nothing builds a pending block');
    return this.#pendingAt();
  }

  #sealed(block: Block, state = this.#states.at(block)): TrieBlock {
    return { ...block, ...this.timeOf(block.header), state, sealed: true };
  }
}
