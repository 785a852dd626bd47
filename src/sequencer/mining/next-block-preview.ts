import type { BlockView, CallView, TrieBlock } from '../../chain/block.ts';
import type { BlockPlan } from '../../chain/block-draft.ts';
import type { OpenBlock } from '../../chain/open-block.ts';
import type { PendingBlock } from '../../chain/refs.ts';
import { Mempool, type PoolSnapshot } from '../../mempool/mempool.ts';
import type { Awaitable } from '../../state/view.ts';
import { feesOfPlan, type NextFees } from '../next-fees.ts';
import type { ProducerDeps } from './producer.ts';

type Deps = Pick<ProducerDeps, 'assembler' | 'chain' | 'engine' | 'mempool' | 'settings' | 'clock'>;

/** Builds the block that would be mined now, for modes without an open block and for the time before one is opened. */
export class NextBlockPreview {
  readonly #deps: Deps;
  #preview: NextBlock | undefined;
  /** the last result of {@link fees}, because each send calls it twice */
  #fees: { key: readonly unknown[]; fees: NextFees } | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The next block's fees, in wei per gas and per blob gas, and its hardfork. */
  fees(): NextFees {
    const { chain, engine, settings, clock } = this.#deps;
    const key = [chain.latest, settings.version, engine.schedule.chainId, clock.now()];
    if (!this.#fees || differ(this.#fees.key, key)) {
      const parent = chain.latest.header;
      const fees = feesOfPlan(parent, settings.plan(parent, clock.now()), engine.schedule);
      this.#fees = { key, fees };
    }
    return this.#fees.fees;
  }

  /** Captures the block that would be mined now. Later changes don't affect it. */
  pendingNow(): PendingBlock {
    const at = this.#deps.clock.now();
    const preview = this.#preview;
    if (preview?.isStill(at)) return preview;
    const before = preview?.isOpenedAt(at) ? preview.filled : undefined;
    this.#preview = new NextBlock(this.plan(at), at, this.#deps, before);
    return this.#preview;
  }

  /** Opens a block on the head. @param at when the block is sealed, milliseconds on the clock */
  open(at: number): Awaitable<OpenBlock> {
    return this.#deps.assembler.openAs(this.#deps.chain.latest, this.plan(at));
  }

  /** The plan with which {@link open} opens a block. */
  plan(at: number): BlockPlan {
    const { chain, settings } = this.#deps;
    return settings.plan(chain.latest.header, at);
  }

  /** Discards the cached preview. Must be called whenever a block was made. */
  forget(): void {
    this.#preview = undefined;
  }
}

/** The block that would be mined at one moment; built lazily. */
class NextBlock implements PendingBlock {
  readonly #deps: Deps;
  readonly #plan: BlockPlan;
  /** the latest time for which {@link isOpenedAt} was true, milliseconds on the clock */
  #at: number;
  // The inputs that determine the block, besides its timestamp.
  readonly #parent: TrieBlock;
  readonly #settings: number;
  readonly #chainId: bigint;
  readonly #pool: number;
  /** the mempool's content; `undefined` when it is empty */
  readonly #waiting: (() => PoolSnapshot) | undefined;
  readonly #block: () => Awaitable<TrieBlock>;
  readonly #opened: () => Awaitable<CallView>;
  #filled: OpenBlock | undefined;

  /**
   * @param at when the block would be sealed, milliseconds on the clock
   * @param before the same block, filled earlier with the transactions that were pending then
   */
  constructor(plan: BlockPlan, at: number, deps: Deps, before: OpenBlock | undefined) {
    const { chain, engine, mempool, settings, assembler } = deps;
    const parent = chain.latest;
    this.#deps = deps;
    this.#plan = plan;
    this.#at = at;
    this.#parent = parent;
    this.#settings = settings.version;
    this.#chainId = engine.schedule.chainId;
    this.#pool = mempool.version;
    this.#waiting = mempool.size > 0 ? mempool.freeze() : undefined;
    this.#filled = before;
    this.#block = once(() => this.#build());
    this.#opened = once(() => assembler.openForCalls(parent, plan));
  }

  /** The filled block; until it is built, the one that was filled earlier, if any. */
  get filled(): OpenBlock | undefined {
    return this.#filled;
  }

  /** Whether exactly this block would be mined at `at`. Must be fast: called for every request. */
  isStill(at: number): boolean {
    return this.#deps.mempool.version === this.#pool && this.isOpenedAt(at);
  }

  /** Whether a block sealed at `at` has the same parent, settings and timestamp, even if the mempool has changed. */
  isOpenedAt(at: number): boolean {
    const { chain, engine, settings } = this.#deps;
    if (chain.latest !== this.#parent || settings.version !== this.#settings) return false;
    if (engine.schedule.chainId !== this.#chainId) return false;
    if (at !== this.#at && settings.timestampAfter(this.#parent.header, at) !== this.#plan.timestamp)
      return false;
    this.#at = at;
    return true;
  }

  block(): Awaitable<BlockView> {
    return this.#block();
  }

  callView(): Awaitable<CallView> {
    // On an OP chain a block has at least the deposit of L1 attributes.
    const isEmpty = !this.#waiting && !this.#deps.engine.schedule.optimism;
    return isEmpty ? this.#opened() : this.#block();
  }

  async #build(): Promise<TrieBlock> {
    const pool = new Mempool();
    if (this.#waiting) pool.restore(this.#waiting());
    const { assembler } = this.#deps;
    const { open, block } = await assembler.preview(this.#parent, this.#plan, pool, this.#filled);
    this.#filled = open;
    return block;
  }
}

/** Caches the result of `make`, called lazily; calls it again after a failure. */
function once<T extends object>(make: () => Awaitable<T>): () => Awaitable<T> {
  let made: Awaitable<T> | undefined;
  const keep = (value: T | undefined) => {
    made = value;
  };
  return () => {
    if (made) return made;
    made = make();
    if (made instanceof Promise) made.then(keep, () => keep(undefined));
    return made;
  };
}

function differ(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.some((part, i) => part !== other[i]);
}
