import type { BlockView, CallView, TrieBlock } from '../../chain/block.ts';
import type { BlockPlan } from '../../chain/block-draft.ts';
import type { OpenBlock } from '../../chain/open-block.ts';
import type { PendingBlock } from '../../chain/refs.ts';
import { Mempool, type PoolSnapshot } from '../../mempool/mempool.ts';
import type { Awaitable } from '../../state/view.ts';
import { feesOfPlan, type NextFees } from '../next-fees.ts';
import type { ProducerDeps } from './block-producer.ts';

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
    if (!this.#preview?.isStill(at)) this.#preview = new NextBlock(this.plan(at), at, this.#deps);
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

  /** @param at when it would be sealed, milliseconds on the clock */
  constructor(plan: BlockPlan, at: number, deps: Deps) {
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
    this.#block = once(() => this.#build());
    this.#opened = once(() => assembler.openForCalls(parent, plan));
  }

  /** Whether this block would be mined now. Every request asks, and many come in the same millisecond. */
  isStill(at: number): boolean {
    const { chain, engine, mempool, settings } = this.#deps;
    if (chain.latest !== this.#parent || mempool.version !== this.#pool) return false;
    if (settings.version !== this.#settings || engine.schedule.chainId !== this.#chainId) return false;
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
    const { block } = await this.#deps.assembler.make(this.#parent, this.#plan, { quiet: true }, pool);
    return block!;
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
