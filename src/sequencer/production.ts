import type { Transaction } from '../chain/block.ts';
import type { Chain } from '../chain/chain.ts';
import { asSealed, type OpenBlock, openBlock, type TrieBlock } from '../chain/open-block.ts';
import type { Clock } from '../clock.ts';
import type { Engine } from '../evm/engine.ts';
import type { Mempool } from '../mempool/mempool.ts';
import type { Order } from '../mempool/selection.ts';
import type { Feed } from './feed.ts';
import { type Filled, fill } from './fill.ts';
import type { Settings } from './settings.ts';

export interface ProductionOptions {
  readonly order: Order;
  /** EIP-7825's cap on one transaction */
  readonly gasCap: boolean;
}

export interface ProductionDeps {
  readonly chain: Chain;
  readonly engine: Engine;
  readonly mempool: Mempool;
  readonly settings: Settings;
  /** drives blocks */
  readonly clock: Clock;
  /** measures work */
  readonly wall: Clock;
  readonly feed: Feed;
  /** Lets other work run. */
  readonly pause: () => Promise<void>;
}

/** The steps of making a block, which the modes put together. */
export class Production {
  readonly deps: ProductionDeps;
  readonly #options: ProductionOptions;
  #payload = 0n;

  constructor(options: ProductionOptions, deps: ProductionDeps) {
    this.#options = options;
    this.deps = deps;
  }

  /** number of the block opened last */
  get payload(): bigint {
    return this.#payload;
  }

  /** A new block is begun, or one is begun anew. */
  nextPayload(): void {
    this.#payload++;
  }

  /** @param sealAt when the block is to be sealed, milliseconds on the clock */
  open(parent: TrieBlock, sealAt: number): Promise<OpenBlock> {
    const { chain, engine, settings } = this.deps;
    return openBlock(parent, settings.plan(parent.header, sealAt), engine, (n) => chain.hashOf(n));
  }

  /** @param limits.list takes these instead of what waits */
  fill(
    open: OpenBlock,
    limits: { gas: bigint; transactions: number; list?: readonly Transaction[] },
  ): Promise<Filled> {
    return fill(open, { ...this.#options, ...limits }, this.deps);
  }

  /** The open block as readers see it. */
  async view(open: OpenBlock): Promise<TrieBlock> {
    return { ...(await asSealed(open, this.deps.engine)), sealed: false };
  }

  /**
   * What was included leaves the pool, and what never can be. Call it in one go with showing the block: a transaction
   * is in the pool or in the block, never in neither.
   */
  leavePool({ transactions, dropped }: Filled): void {
    const { mempool, feed } = this.deps;
    for (const { from, tx } of transactions) mempool.setNonce(from, tx.nonce + 1n);
    for (const { transaction, error } of dropped) {
      mempool.remove(transaction.hash);
      feed.emit('dropped', { transaction, reason: error.message });
    }
  }
}
