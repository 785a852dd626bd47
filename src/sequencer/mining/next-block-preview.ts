import type { BlockView, CallView, TrieBlock } from '../../chain/block.ts';
import type { BlockPlan } from '../../chain/block-draft.ts';
import type { OpenBlock } from '../../chain/open-block.ts';
import type { PendingBlock } from '../../chain/refs.ts';
import { Mempool, type PoolSnapshot } from '../../mempool/mempool.ts';
import type { Awaitable } from '../../state/view.ts';
import { feesOfPlan, type NextFees } from '../next-fees.ts';
import type { ProducerDeps } from './producer.ts';

type Deps = Pick<ProducerDeps, 'assembler' | 'chain' | 'engine' | 'mempool' | 'settings' | 'clock'>;

/** The block that would be mined now, for modes and moments without an open block. */
export class NextBlockPreview {
  readonly #deps: Deps;
  #preview: NextBlock | undefined;
  /** the last answer of {@link fees}: a send asks twice */
  #fees: { key: readonly unknown[]; fees: NextFees } | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Its fees, in wei per gas and per blob gas, and its hardfork. */
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

  /** The block that would be mined now, whatever happens meanwhile. */
  pendingNow(): PendingBlock {
    const at = this.#deps.clock.now();
    const preview = this.#preview;
    if (preview?.isStill(at)) return preview;
    const before = preview?.isOpenedAt(at) ? preview.filled : undefined;
    this.#preview = new NextBlock(this.plan(at), at, this.#deps, before);
    return this.#preview;
  }

  /** Opens the block on the head. @param at when it is sealed, milliseconds on the clock */
  open(at: number): Awaitable<OpenBlock> {
    return this.#deps.assembler.openAs(this.#deps.chain.latest, this.plan(at));
  }

  /** The plan of the block on the head, as {@link open} opens it. */
  plan(at: number): BlockPlan {
    const { chain, settings } = this.#deps;
    return settings.plan(chain.latest.header, at);
  }

  /** To be called when a block was made: discards the block that was built. */
  forget(): void {
    this.#preview = undefined;
  }
}

/** The block that would be mined at a moment of the chain. */
class NextBlock implements PendingBlock {
  readonly #deps: Deps;
  readonly #plan: BlockPlan;
  /** the last time for which it was asked, milliseconds on the clock */
  #at: number;
  /** what decides of the block, besides its timestamp */
  readonly #parent: TrieBlock;
  readonly #settings: number;
  readonly #chainId: bigint;
  readonly #pool: number;
  /** what waits to be in it; `undefined` when nothing does */
  readonly #waiting: (() => PoolSnapshot) | undefined;
  readonly #block: () => Awaitable<TrieBlock>;
  readonly #opened: () => Awaitable<CallView>;
  #filled: OpenBlock | undefined;

  /**
   * @param at when it would be sealed, milliseconds on the clock
   * @param before the same block with what waited earlier
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

  /** The block with what waits, or where it isn't built yet, with what waited earlier. */
  get filled(): OpenBlock | undefined {
    return this.#filled;
  }

  /** Whether this block would be mined now. Every request asks, and many come in the same millisecond. */
  isStill(at: number): boolean {
    return this.#deps.mempool.version === this.#pool && this.isOpenedAt(at);
  }

  /** Whether the block that would be mined now is opened as this one, whatever waits to be in it. */
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

/** Makes something when it is asked for; again where that failed. */
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
