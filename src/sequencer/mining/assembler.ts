import { type Address, equalsBytes } from '@ethereumjs/util';
import type { Block, CallView, EnvHeader, Transaction, TrieBlock } from '../../chain/block.ts';
import { type Added, BlockBuilder } from '../../chain/block-builder.ts';
import { type BlockPlan, draftBlock, headerGas } from '../../chain/block-draft.ts';
import type { Chain } from '../../chain/chain.ts';
import { extendBlock, type OpenBlock, openBlock, sealBlock } from '../../chain/open-block.ts';
import { DataDirError } from '../../chain/store/data-dir-error.ts';
import type { Clock } from '../../clock.ts';
import type { Engine } from '../../engine/engine.ts';
import { startOf } from '../../engine/workspace.ts';
import { DevnetError } from '../../errors.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import type { Order } from '../../mempool/selection.ts';
import { DEPOSIT_TYPE } from '../../protocol/op-stack/deposit-transaction.ts';
import { sentTransactions } from '../../protocol/op-stack/l1-attributes.ts';
import type { ChainState } from '../../state/chain-state.ts';
import { type Awaitable, andThen, type StateWrites } from '../../state/view.ts';
import { NO_WRITES } from '../../state/writes.ts';
import type { Pauses } from '../../turns.ts';
import { timeMeta } from '../chain-time.ts';
import type { CurrentTask } from '../current-task.ts';
import type { Dropped, Feed } from '../feed/feed.ts';
import type { Settings } from '../settings.ts';
import { type FilledOpenBlock, type FillOutcome, fill, fillBlock, type Pause, type Source } from './fill.ts';
import { include } from './include.ts';

export interface AssemblerOptions {
  readonly order: Order;
  /** whether EIP-7825's cap on the gas of one transaction applies */
  readonly gasCap: boolean;
  /** most transactions that a block takes from the mempool */
  readonly maxTransactions: number;
}

export interface AssemblerDeps {
  readonly chain: Chain;
  readonly engine: Engine;
  readonly mempool: Mempool;
  readonly settings: Settings;
  readonly current: CurrentTask;
  /** the machine's clock, to measure how long work takes */
  readonly wall: Clock;
  readonly feed: Feed;
  readonly pause: Pause;
  /** see {@link fill}; not called for quiet fills */
  readonly progress?: (done: number | undefined) => Promise<void> | undefined;
}

/** The hash of a block that the chain doesn't contain yet. */
type HashOf = (number: bigint) => Uint8Array | undefined;

const NO_HASHES: HashOf = () => undefined;

/** A finished block, and the outcome of each transaction that was tried. */
export interface FilledBlock extends FillOutcome {
  /** `undefined` if there was no transaction to include and `skipEmpty` was set */
  readonly block: TrieBlock | undefined;
}

/**
 * The steps that make a block: open it with the current settings, fill it from the mempool or a list, store it, show it
 * to readers and remove its transactions from the mempool. The block producers combine these steps.
 */
export class Assembler {
  readonly #options: AssemblerOptions;
  readonly #deps: AssemblerDeps;
  #payload = 0n;

  constructor(options: AssemblerOptions, deps: AssemblerDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  /** running number of the most recently opened block, see {@link Flashblock.payload} */
  get payload(): bigint {
    return this.#payload;
  }

  set payload(payload: bigint) {
    this.#payload = payload;
  }

  /** Gives the next opened or reopened block a new payload number. */
  nextPayload(): void {
    this.#payload++;
  }

  /** @param sealAt when the block is to be sealed, milliseconds on the clock */
  open(parent: TrieBlock, sealAt: number): Awaitable<OpenBlock> {
    return this.openAs(parent, this.#deps.settings.plan(parent.header, sealAt));
  }

  /**
   * Opens a block with the given plan. On an OP chain the block then contains its L1 attributes deposit.
   * @param hashOf returns, for the BLOCKHASH opcode, hashes of blocks that the chain doesn't contain yet
   */
  openAs(parent: TrieBlock, plan: BlockPlan, hashOf = NO_HASHES): Awaitable<OpenBlock> {
    const opening = openBlock(parent, plan, this.#deps.engine, this.#hashes(hashOf), {
      withL1Attributes: true,
    });
    return this.#fetched(opening);
  }

  /** Calls {@link CurrentTask.assertFetched} once `making` has its result. */
  #fetched<T>(making: Awaitable<T>): Awaitable<T> {
    return andThen(making, (made) => {
      this.#deps.current.assertFetched();
      return made;
    });
  }

  /** Returns header and state for a call in the block after `parent`, for use while the mempool is empty. */
  openForCalls(parent: TrieBlock, plan: BlockPlan): Awaitable<CallView> {
    const { engine } = this.#deps;
    const draft = draftBlock(parent, plan, engine, this.#hashes());
    const { env, excessBlobGas } = draft;
    const header: { -readonly [K in keyof EnvHeader]: EnvHeader[K] } = {
      number: env.number,
      timestamp: env.timestamp,
      coinbase: env.coinbase,
      gasLimit: env.gasLimit,
      difficulty: env.difficulty,
      mixHash: env.prevRandao,
    };
    if (env.baseFeePerGas !== undefined) header.baseFeePerGas = env.baseFeePerGas;
    if (excessBlobGas !== undefined) header.excessBlobGas = excessBlobGas;
    if (env.slotNumber !== undefined) header.slotNumber = env.slotNumber;
    return andThen(engine.stateAtStart({ state: parent.state, start: startOf(draft) }), (state) => ({
      header,
      state,
      sealed: false,
    }));
  }

  fill(
    open: OpenBlock,
    limits: { gas: bigint; quiet?: boolean },
    source: Source = this.#deps.mempool,
  ): Promise<FilledOpenBlock> {
    const transactions = this.#room(source) - sentTransactions(open.transactions, open.hardfork).length;
    const { gas, quiet = false } = limits;
    const { order, gasCap } = this.#options;
    return fill(open, { order, gasCap, gas, transactions, quiet }, source, this.#deps);
  }

  /** Most transactions in a block. A list has no limit: its transactions were in a block before, or were requested explicitly. */
  #room(source: Source): number {
    return source.offersAll ? Number.POSITIVE_INFINITY : this.#options.maxTransactions;
  }

  #hashes(hashOf = NO_HASHES) {
    const { chain } = this.#deps;
    return (number: bigint) => hashOf(number) ?? chain.blockHash(number);
  }

  /**
   * Opens a block, fills it and seals it in one workspace.
   * @param limits.skipEmpty makes no block if there is no transaction for it; by default the block is then empty
   * @param limits.quiet see {@link fill}
   * @param limits.strict see {@link BlockFinish.strict}
   * @param hashOf see {@link openAs}
   */
  async make(
    parent: TrieBlock,
    plan: BlockPlan,
    limits: { skipEmpty?: boolean; quiet?: boolean; strict?: boolean },
    source: Source = this.#deps.mempool,
    hashOf = NO_HASHES,
  ): Promise<FilledBlock> {
    const { engine } = this.#deps;
    const begun = BlockBuilder.begin(parent, plan, engine, this.#hashes(hashOf), { withL1Attributes: true });
    const builder = begun instanceof Promise ? await begun : begun;
    try {
      const { order, gasCap } = this.#options;
      const transactions = this.#room(source);
      const { quiet = false, strict = false } = limits;
      const filling = { order, gasCap, gas: builder.env.gasLimit, transactions, quiet };
      const dropped = await fillBlock(builder, filling, source, this.#deps);
      const sent = sentTransactions(builder.transactions, engine.hardforkOf(builder.env));
      if (limits.skipEmpty && sent.length === 0)
        return { transactions: [], writes: NO_WRITES, dropped, block: undefined };
      const sealed = builder.sealAndKeep({ strict });
      const { block, writes } = sealed instanceof Promise ? await sealed : sealed;
      // A quiet block is made concurrently with the current task and isn't part of it.
      if (!quiet) this.#deps.current.assertFetched();
      return { transactions: sent, writes, dropped, block: this.#view(block) };
    } finally {
      builder.close();
    }
  }

  /**
   * Makes a block of exactly these transactions.
   * @param options.withL1Attributes on an OP chain: whether an L1 attributes deposit comes before them
   * @param options.strict see {@link BlockFinish.strict}
   * @param options.pauses lets other work run in between; only for a block that doesn't become part of the chain
   * @throws DevnetError -32000 naming the first transaction that can't be included
   */
  async makeOf(
    transactions: readonly Transaction[],
    parent: TrieBlock,
    plan: BlockPlan,
    { withL1Attributes, strict, pauses }: { withL1Attributes: boolean; strict: boolean; pauses?: Pauses },
  ): Promise<TrieBlock> {
    const { gasCap } = this.#options;
    const builder = await BlockBuilder.begin(parent, plan, this.#deps.engine, this.#hashes(), {
      withL1Attributes,
    });
    try {
      await include(builder, transactions, { gasCap, pauses });
      return this.#view((await builder.sealAndKeep({ strict })).block);
    } finally {
      builder.close();
    }
  }

  /**
   * Makes a block of one transaction that isn't in the mempool, or an empty block, in one workspace.
   * @param added called after the block that contains the transaction is sealed
   * @returns `undefined` if the transaction can't be included: nothing has changed then
   */
  makeOfOne(
    parent: TrieBlock,
    plan: BlockPlan,
    transaction: Transaction | undefined,
    added?: () => void,
  ): Awaitable<TrieBlock | undefined> {
    const { engine } = this.#deps;
    const { gasCap } = this.#options;
    const beginning = BlockBuilder.begin(parent, plan, engine, this.#hashes(), { withL1Attributes: true });
    return andThen(beginning, (builder) =>
      builder.closing(() => {
        const adding = transaction ? addTo(builder, transaction, gasCap) : true;
        return andThen(adding, (isIn) => {
          if (!isIn) return undefined;
          return andThen(this.#fetched(builder.sealAndKeep({ strict: false })), ({ block }) => {
            added?.();
            return andThen(this.#reported(transaction ? 1 : 0), () => this.#view(block));
          });
        });
      }),
    );
  }

  /** Reports the same steps as {@link fillBlock}: a replay inserts its inputs between them. */
  #reported(transactions: 0 | 1): Awaitable<void> {
    const { progress } = this.#deps;
    const first = andThen(progress?.(0), () => (transactions > 0 ? progress?.(1) : undefined));
    return andThen(first, () => progress?.(undefined));
  }

  /**
   * Makes an empty block. On an OP chain it contains only the L1 attributes deposit.
   * @param hashOf see {@link openAs}
   */
  async makeEmpty(
    parent: TrieBlock,
    plan: BlockPlan,
    hashOf: HashOf,
  ): Promise<Block & { state: ChainState }> {
    const { engine } = this.#deps;
    const builder = await BlockBuilder.begin(parent, plan, engine, this.#hashes(hashOf), {
      withL1Attributes: true,
    });
    try {
      const { block } = await builder.sealAndKeep({ strict: false });
      this.#deps.current.assertFetched();
      return block;
    } finally {
      builder.close();
    }
  }

  /** Returns a block's transactions without the L1 attributes deposit: these can be included again in another block. */
  sent({ header, transactions }: Pick<Block, 'header' | 'transactions'>): readonly Transaction[] {
    return sentTransactions(transactions, this.#deps.engine.hardforkOf(header));
  }

  /** Executes all given transactions on an open block, see {@link include}. */
  async include(open: OpenBlock, transactions: readonly Transaction[], first = 0): Promise<OpenBlock> {
    const { gasCap } = this.#options;
    const extended = await extendBlock(open, this.#deps.engine, (builder) =>
      include(builder, transactions, { gasCap, first }),
    );
    return extended.open;
  }

  /**
   * Reports a step between two blocks, or a step of an empty block. A replay inserts its inputs at these steps.
   * @param done 0 at the beginning, `undefined` at the end, like the reports of {@link fillBlock}
   * @returns a promise in a replay
   */
  progress(done: 0 | undefined): Promise<void> | undefined {
    return this.#deps.progress?.(done);
  }

  /** Lets other work run between two blocks. Inputs that arrive during the pause precede the next block, in a replay too. */
  async pause(): Promise<void> {
    await this.#deps.pause(undefined);
    await this.progress(0);
    await this.progress(undefined);
  }

  /**
   * Fills a block that only readers see, from a mempool. Concurrent changes by other requests don't affect it.
   * @param before the same block, filled earlier with the transactions that were pending then
   * @returns the open block, which can be filled further, and the block as readers see it
   */
  async preview(
    parent: TrieBlock,
    plan: BlockPlan,
    pool: Mempool,
    before: OpenBlock | undefined,
  ): Promise<{ readonly open: OpenBlock; readonly block: TrieBlock }> {
    const { engine } = this.#deps;
    const rest = before && this.#restOf(pool, before);
    const begun = rest
      ? before
      : await openBlock(parent, plan, engine, this.#hashes(), { withL1Attributes: true });
    const gas = begun.env.gasLimit - headerGas(begun.counted);
    const { open } = await this.fill(begun, { gas, quiet: true }, rest ?? pool);
    return { open, block: this.#view(await sealBlock(open, engine)) };
  }

  /**
   * Returns a source of the mempool's transactions that come after those of the open block; `undefined` if the mempool would select
   * another transaction before one of them.
   */
  #restOf(pool: Mempool, open: OpenBlock): Source | undefined {
    const { baseFeePerGas: baseFee = 0n, blobBaseFee = 0n } = open.env;
    const selection = pool.select({ baseFee, order: this.#options.order, blobBaseFee });
    for (const { hash } of sentTransactions(open.transactions, open.hardfork)) {
      const next = selection.next();
      if (!next || !equalsBytes(next.hash, hash)) return undefined;
    }
    return { select: () => selection };
  }

  /** The open block as readers see it: with roots and hash, as if sealed now. */
  view(open: OpenBlock): Awaitable<TrieBlock> {
    return andThen(this.#fetched(sealBlock(open, this.#deps.engine)), (block) => this.#view(block));
  }

  #view(block: Block & { state: ChainState }): TrieBlock {
    return Object.assign(block, this.#deps.chain.timeOf(block.header), { sealed: false });
  }

  /** Stores a block and the offset of chain time after it, in one batch. The caller shows the block. */
  store(block: TrieBlock): Awaitable<TrieBlock> {
    const { chain, settings } = this.#deps;
    return andThen(chain.store(block, timeMeta(settings.sealedTimeOffset)), (stored) => {
      settings.onSealed();
      return stored;
    });
  }

  /**
   * Shows a block and removes its transactions from the mempool, synchronously: a reader finds each transaction either in the
   * mempool or in the block. Also removes transactions that can't be included any more, and reports them.
   * @param move makes the block visible
   */
  show(included: FillOutcome, move: () => void): void {
    const { mempool, feed } = this.#deps;
    const reports = this.take(included, mempool);
    move();
    for (const report of reports) feed.emit('dropped', report);
  }

  /**
   * Removes a block's transactions from a mempool, and all transactions that can't be included any more.
   * @returns the removed transactions that aren't in the block
   */
  take({ transactions, writes, dropped }: FillOutcome, mempool: Mempool): Dropped[] {
    const reports: Dropped[] = dropped.map(({ transaction, error }) => ({
      transaction,
      reason: error.message,
    }));
    for (const { from, tx, hash } of transactions) {
      if (tx.type === DEPOSIT_TYPE) {
        mempool.remove(hash);
        continue;
      }
      for (const passed of mempool.setNonce(from, tx.nonce + 1n)) {
        // A different hash: a replacement that entered the mempool while the included transaction was being executed.
        if (!equalsBytes(passed.hash, hash))
          reports.push({
            transaction: passed,
            reason: 'nonce too low',
            ...(passed.tx.nonce === tx.nonce && { by: hash }),
          });
      }
    }
    // An authorization increments its authority's nonce too (EIP-7702), and a deposit its sender's.
    if (transactions.some(({ tx }) => tx.type >= 4)) {
      for (const passed of mempool.prune(nonceIn(writes)))
        reports.push({ transaction: passed, reason: 'nonce too low' });
    }
    for (const { transaction } of dropped) mempool.remove(transaction.hash);
    return reports;
  }

  /** Drops pool transactions whose nonce is too low after a dev write. */
  renewNonces(writes: StateWrites): void {
    const { mempool, feed } = this.#deps;
    for (const transaction of mempool.prune(nonceIn(writes)))
      feed.emit('dropped', { transaction, reason: 'nonce too low' });
  }
}

/** Returns a function that looks up an account's nonce in the writes; it gives `undefined` for an account that wasn't written. */
function nonceIn(writes: StateWrites): (sender: Address) => bigint | undefined {
  return (sender) => {
    const { accounts } = writes;
    const key = sender.toString();
    return accounts.has(key) ? (accounts.get(key)?.nonce ?? 0n) : undefined;
  };
}

/**
 * @returns whether the transaction was included. An internal error of the engine is reported when the transaction is tried again,
 *   from the mempool.
 */
function addTo(builder: BlockBuilder, transaction: Transaction, gasCap: boolean): Awaitable<boolean> {
  if (!transaction.isEncoded && builder.room(transaction) !== 'fits') return false;
  const fail = (error: unknown): false => {
    if (error instanceof DevnetError || error instanceof DataDirError) throw error;
    return false;
  };
  try {
    const added = builder.add(transaction, { gasCap, console: true });
    return added instanceof Promise ? added.then(isIncluded, fail) : isIncluded(added);
  } catch (error) {
    return fail(error);
  }
}

function isIncluded({ kind }: Added): boolean {
  return kind !== 'invalid';
}
