import type { BlockView, Transaction, TrieBlock } from '../../chain/block.ts';
import type { Chain } from '../../chain/chain.ts';
import type { PendingBlock } from '../../chain/refs.ts';
import type { Clock } from '../../clock.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import type { Awaitable, StateWrites } from '../../state/view.ts';
import type { CurrentTask } from '../current-task.ts';
import type { Faults } from '../feed/faults.ts';
import type { Feed, Flashblock } from '../feed/feed.ts';
import type { TickMetrics } from '../feed/metrics.ts';
import type { NextFees } from '../next-fees.ts';
import type { NextSettings, Settings } from '../settings.ts';
import type { TaskClock } from '../task-clock.ts';
import type { Assembler } from './assembler.ts';
import type { FilledOpenBlock, FillOutcome } from './fill.ts';
import type { MiningMode } from './mode.ts';

/** The data from which a revert reopens a block. */
export interface OpenRecord {
  /** the block's transactions, without the L1 attributes deposit */
  readonly transactions: readonly Transaction[];
  /** time since the block was opened, in milliseconds */
  readonly age: number;
  /** number of the next slot, from 1 */
  readonly slot: number;
  /** in modes without partial blocks: when the next block is due, milliseconds on the clock */
  readonly due?: number | undefined;
}

/** An open block that readers see while it is being filled. */
export interface Preconfirmed {
  readonly view: TrieBlock;
  /** its published flashblocks, by index */
  readonly published: readonly Flashblock[];
  readonly record: OpenRecord;
}

/** A producer's prepared start from another block. */
export interface PreparedStart {
  /** the restored block's transactions that could not be included again */
  readonly left: readonly Transaction[];
  /**
   * Shows the block and continues from it. Can't fail.
   * @param onShown called when readers see the block, before new flashblocks are published
   */
  show(onShown?: () => void): void;
}

/** Computes the writes of a dev write from the state that it changes. */
export type PatchHead = (block: BlockView) => Awaitable<StateWrites>;

/** Timestamps of consecutive blocks. */
export interface Timestamps {
  /** timestamp of the first block, seconds; when absent, chain time decides */
  readonly first?: bigint | undefined;
  /** seconds between consecutive blocks; when absent, chain time decides */
  readonly interval?: bigint | undefined;
}

export interface ProducerDeps {
  readonly assembler: Assembler;
  readonly chain: Chain;
  readonly engine: Engine;
  readonly mempool: Mempool;
  readonly settings: Settings;
  /** schedules blocks and dates them */
  readonly clock: TaskClock;
  /** the machine's clock, to measure how long work takes */
  readonly wall: Clock;
  readonly feed: Feed;
  /** simulated failures */
  readonly faults: Faults;
  readonly metrics: TickMetrics;
  /** Whether long runs of empty blocks are reserved instead of made, see `reserveEmpty`; false only to replay old recordings. */
  readonly reserves: boolean;
  readonly current: CurrentTask;
  /**
   * Runs a due task as the only writer. Never rejects.
   * @param at the task's time, milliseconds on the clock, if the task begins before that time
   */
  readonly run: (task: () => Promise<void>, at?: number) => Promise<void>;
  /** called when a due task begins to change the chain */
  readonly onTick: () => void;
}

/**
 * Makes blocks. A flashblock producer keeps a block open and pre-confirms it one flashblock at a time; an instant
 * producer makes each block when it is sealed. Its caller must be the only writer of the chain.
 */
export interface Producer {
  readonly mode: MiningMode;
  /** the open block; `undefined` in modes in which readers see a block only once it is sealed */
  readonly preconfirmed: Preconfirmed | undefined;
  /** The record from which {@link start} continues here; `undefined` while the open block has transactions. */
  readonly resting: OpenRecord | undefined;
  /** When the timer seals the next block, milliseconds on the clock; `undefined` in modes without an interval. */
  readonly sealDue: number | undefined;

  /**
   * Prepares to continue from `head`. In modes with an open block, opens one on `head`. Readers don't see it, and the producer
   * continues as before, until {@link PreparedStart.show} is called.
   * @param open the open block to restore
   */
  prepare(head: TrieBlock, open?: OpenRecord): Awaitable<PreparedStart>;

  /**
   * Captures the open block and its schedule, to return to them after a failed change. `chain.latest` must be the same block again when
   * {@link PreparedStart.show} is called.
   */
  keep(): PreparedStart;

  /** Shows `head` and continues from it, see {@link prepare}. */
  start(head: TrieBlock, open?: OpenRecord): Awaitable<void>;

  /** Stops the timer. Seals the open block if it has transactions, else drops it. */
  stop(): Promise<void>;

  /**
   * Seals a block now, with the pending pool transactions.
   * @param timestamp seconds. An open block with transactions keeps its own timestamp: it is sealed first, unchanged
   */
  seal(timestamp?: bigint): Awaitable<TrieBlock>;

  /**
   * Seals a block with transactions from the mempool, in the usual order. Seals no block if no transaction can be included.
   * @returns the included and the dropped transactions
   */
  sealWaiting(): Promise<FillOutcome>;

  /**
   * Seals a block with a transaction that isn't in the mempool, if no transaction in the mempool may come first.
   * @param added called when the transaction is in the block, before the block is stored
   * @returns false if nothing has changed: the caller must add the transaction to the mempool first, which also reports why a
   *   transaction is rejected
   */
  sealSent(transaction: Transaction, added: () => void): Awaitable<boolean>;

  /**
   * Seals up to `most` blocks without transactions, in batches, if the mode allows it.
   * @param interval seconds between consecutive blocks; when absent, chain time decides the timestamps
   * @returns how many were sealed; 0 if blocks must be made one by one
   */
  sealEmpty(most: bigint, interval?: bigint): Promise<bigint>;

  /**
   * Reserves up to `most` blocks without transactions, see `reserveEmpty`, and shows the last of them.
   * The caller must ensure that no transaction in the mempool can be included in the next block.
   * @returns how many were reserved; 0 if the next block has to be made
   */
  reserve(most: bigint, times: Timestamps): Promise<bigint>;

  /**
   * Changes settings of the next block. That is the open block if it has no transactions, which is then opened again; otherwise
   * the block after it.
   * @throws DevnetError -32602 for a timestamp that is not after the parent's, and for a field that a block of this hardfork
   *   doesn't have
   */
  setNext(next: NextSettings): Awaitable<void>;

  /** Must be called after each change of settings: reopens the open block if it has no transactions yet. */
  settingsChanged(): Awaitable<void>;

  /** Moves chain time up to the newest block's timestamp if it is behind, so that changes of time count from that block. */
  catchUp(): void;

  /** The next block's fees, in wei per gas and per blob gas, and its hardfork. */
  nextFees(): NextFees;

  /**
   * Captures the pending block of this moment: the open block, or else the block that would be mined now. Later changes don't
   * affect it.
   */
  pendingNow(): PendingBlock;

  /** Delays the timer by at least `ms` milliseconds. Ticks that fall due in that time run late, afterwards. */
  hold(ms: number): void;

  /** Applies a dev write. It is visible at `latest` and `pending` immediately, and part of the next block's state root. */
  patch(write: PatchHead): Awaitable<void>;

  /**
   * Reopens the open block with other transactions than those pre-confirmed so far. Doesn't change the mempool.
   * @param required if this transaction can't be included, the open block stays as it was
   * @throws Error if no block is open
   */
  rebuild(transactions: readonly Transaction[], required?: Transaction): Promise<FilledOpenBlock>;
}
