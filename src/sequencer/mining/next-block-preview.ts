import type { TrieBlock } from '../../chain/block.ts';
import type { BlockPlan } from '../../chain/block-draft.ts';
import type { OpenBlock } from '../../chain/open-block.ts';
import type { PendingBlock } from '../../chain/refs.ts';
import type { Opening } from '../../evm/block-maker.ts';
import { Mempool, type PoolSnapshot } from '../../mempool/mempool.ts';
import type { Awaitable } from '../../state/view.ts';
import { feesOfPlan, type NextFees } from '../next-fees.ts';
import type { ProducerDeps } from './block-producer.ts';

type Deps = Pick<ProducerDeps, 'assembler' | 'chain' | 'engine' | 'mempool' | 'settings' | 'clock'>;

/** The block that would be mined at a moment of the chain. */
interface Preview {
  readonly key: readonly unknown[];
  /** the last time at which it was asked for, milliseconds on the clock */
  at: number;
  /** of the block, seconds */
  readonly timestamp: bigint;
  readonly pending: PendingBlock;
}

/** The block that would be mined now, for modes and moments without an open block. */
export class NextBlockPreview {
  readonly #deps: Deps;
  #preview: Preview | undefined;
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
    const { chain, engine, mempool, settings, clock } = this.#deps;
    const { latest } = chain;
    const at = clock.now();
    const key = [latest, settings.version, engine.schedule.chainId, mempool.version];
    const known = this.#preview && !differ(this.#preview.key, key) ? this.#preview : undefined;
    // Every request asks, and many come in the same millisecond.
    if (known?.at === at) return known.pending;
    if (known?.timestamp === settings.timestampAfter(latest.header, at)) known.at = at;
    else {
      const plan = this.plan(at);
      const isEmpty = mempool.size === 0;
      const waiting = mempool.freeze();
      const block = once(() => this.#build(latest, plan, waiting));
      const opened = once(async () => this.#deps.assembler.openForCalls(latest, plan));
      let made: Opening | undefined;
      const opening = () => {
        if (isEmpty) made ??= this.#deps.assembler.opening(latest, plan);
        return made;
      };
      const pending = { block, callView: isEmpty ? opened : block, opening };
      this.#preview = { key, at, timestamp: plan.timestamp, pending };
    }
    return this.#preview!.pending;
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

  async #build(parent: TrieBlock, plan: BlockPlan, waiting: () => PoolSnapshot): Promise<TrieBlock> {
    const pool = new Mempool();
    pool.restore(waiting());
    const limits = { transactions: Number.POSITIVE_INFINITY, quiet: true };
    const { block } = await this.#deps.assembler.make(parent, plan, limits, pool);
    return block!;
  }
}

/** Makes something when it is asked for; again where that failed. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

function differ(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.some((part, i) => part !== other[i]);
}
