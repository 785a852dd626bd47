import { type Address, equalsBytes } from '@ethereumjs/util';
import type { Transaction, TrieBlock } from '../../chain/block.ts';
import { type BlockPlan, type OpenBlock, openBlock } from '../../chain/block-draft.ts';
import { sealBlock } from '../../chain/block-seal.ts';
import type { Chain } from '../../chain/chain.ts';
import type { Clock } from '../../clock.ts';
import { DEPOSIT_TYPE } from '../../evm/deposit-transaction.ts';
import type { Engine } from '../../evm/engine.ts';
import { Mempool } from '../../mempool/mempool.ts';
import type { Order } from '../../mempool/selection.ts';
import type { StateWrites } from '../../state/view.ts';
import { TIME_OFFSET } from '../chain-time.ts';
import type { Feed } from '../feed/feed.ts';
import type { Settings } from '../settings.ts';
import { type Filled, fill, type Pause, type Source } from './fill.ts';
import { include } from './include.ts';

export interface AssemblerOptions {
  readonly order: Order;
  /** EIP-7825's cap on one transaction */
  readonly gasCap: boolean;
  /** in a block, of those that wait */
  readonly maxTransactions: number;
}

export interface AssemblerDeps {
  readonly chain: Chain;
  readonly engine: Engine;
  readonly mempool: Mempool;
  readonly settings: Settings;
  /** measures work */
  readonly wall: Clock;
  readonly feed: Feed;
  readonly pause: Pause;
  /** see {@link fill}; not told of blocks that are only tried */
  readonly progress?: (done: number | undefined) => Promise<void> | undefined;
}

/**
 * The steps that every block of this chain goes through: opened as the settings have it, filled from the mempool or a
 * list, stored, and shown while its transactions leave the mempool. The producers put them together.
 */
export class BlockAssembler {
  readonly #options: AssemblerOptions;
  readonly #deps: AssemblerDeps;
  #payload = 0n;

  constructor(options: AssemblerOptions, deps: AssemblerDeps) {
    this.#options = options;
    this.#deps = deps;
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
    return this.openAs(parent, this.#deps.settings.plan(parent.header, sealAt));
  }

  /** @param hashOf hashes of blocks that the chain doesn't have yet */
  openAs(
    parent: TrieBlock,
    plan: BlockPlan,
    hashOf: (number: bigint) => Uint8Array | undefined = () => undefined,
  ): Promise<OpenBlock> {
    const { chain, engine } = this.#deps;
    return openBlock(parent, plan, engine, (number) => hashOf(number) ?? chain.blockHash(number));
  }

  fill(
    open: OpenBlock,
    limits: { gas: bigint; transactions: number; quiet?: boolean },
    source: Source = this.#deps.mempool,
  ): Promise<Filled> {
    // What is given as a list was in a block before, or is asked for by name.
    const room =
      source instanceof Mempool
        ? this.#options.maxTransactions - open.transactions.length
        : Number.POSITIVE_INFINITY;
    const transactions = Math.min(limits.transactions, room);
    return fill(open, { ...this.#options, ...limits, transactions }, { ...this.#deps, source });
  }

  /** Given transactions on an open block, all of them. @param first index of the first one, for the error. @throws as {@link include} */
  include(open: OpenBlock, transactions: readonly Transaction[], first = 0): Promise<OpenBlock> {
    return include(open, transactions, this.#deps.engine, { gasCap: this.#options.gasCap, first });
  }

  /** Lets others run between two blocks. What comes in meanwhile comes before what follows, in a replay too. */
  async pause(): Promise<void> {
    await this.#deps.pause(undefined);
    await this.reached();
  }

  /** A recorded input that came before the next block is put in here when it is replayed. */
  async reached(): Promise<void> {
    const { progress } = this.#deps;
    await progress?.(0);
    await progress?.(undefined);
  }

  /** The open block as readers see it. */
  async view(open: OpenBlock): Promise<TrieBlock> {
    const block = await sealBlock(open, this.#deps.engine);
    return { ...block, ...this.#deps.chain.timeOf(block.header), sealed: false };
  }

  /** Stores a block, and the chain time that goes on from it, in one batch. To be shown by the caller. */
  async store(view: TrieBlock): Promise<TrieBlock> {
    const { chain, settings } = this.#deps;
    const stored = await chain.store(view, { [TIME_OFFSET]: settings.sealedTimeOffset });
    settings.onSealed();
    return stored;
  }

  /**
   * Shows a block, and what it holds leaves the pool, in one go: a transaction is in the pool or in the block, never in
   * neither. What can't be included any more leaves too, and is reported.
   */
  show({ transactions, writes, dropped }: Filled, move: () => void): void {
    const { mempool, feed } = this.#deps;
    const reports = dropped.map(({ transaction, error }) => ({ transaction, reason: error.message }));
    for (const { from, tx, hash } of transactions) {
      if (tx.type === DEPOSIT_TYPE) {
        mempool.remove(hash);
        continue;
      }
      for (const passed of mempool.setNonce(from, tx.nonce + 1n)) {
        // It replaced this one in the pool while this one was being executed.
        if (!equalsBytes(passed.hash, hash)) reports.push({ transaction: passed, reason: 'nonce too low' });
      }
    }
    // An authorization counts the nonce of whoever signed it up too (EIP-7702), and a deposit that of its sender.
    if (transactions.some(({ tx }) => tx.type >= 4)) {
      for (const passed of mempool.prune(nonceIn(writes)))
        reports.push({ transaction: passed, reason: 'nonce too low' });
    }
    for (const { transaction } of dropped) mempool.remove(transaction.hash);
    move();
    for (const report of reports) feed.emit('dropped', report);
  }

  /** Senders whose account a dev write touched may have another nonce now. */
  renewNonces(writes: StateWrites): void {
    const { mempool, feed } = this.#deps;
    for (const transaction of mempool.prune(nonceIn(writes)))
      feed.emit('dropped', { transaction, reason: 'nonce too low' });
  }
}

/** Nonces of the accounts that were written. */
function nonceIn({ accounts }: StateWrites): (sender: Address) => bigint | undefined {
  return (sender) => {
    const key = sender.toString();
    return accounts.has(key) ? (accounts.get(key)?.nonce ?? 0n) : undefined;
  };
}
