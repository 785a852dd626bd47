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
import type { Filled, FillOutcome } from './fill.ts';
import type { MiningMode } from './mode.ts';

/** What is needed to open a block again after a revert. */
export interface OpenRecord {
  /** those that were sent */
  readonly transactions: readonly Transaction[];
  /** how long the block had been open, milliseconds */
  readonly age: number;
  /** number of the next slot, from 1 */
  readonly slot: number;
  /** in modes without partial blocks: when the next block is due, milliseconds on the clock */
  readonly due?: number | undefined;
}

/** An open block, which readers see while it grows. */
export interface Preconfirmed {
  readonly view: TrieBlock;
  /** its published flashblocks, by index */
  readonly published: readonly Flashblock[];
  readonly record: OpenRecord;
}

/** What a producer has prepared to continue from another block. */
export interface Start {
  /** the restored block's transactions that could not be included again */
  readonly left: readonly Transaction[];
  /**
   * Shows the block and continues from it. It can't fail.
   * @param onShown called when readers see the block, before new flashblocks are published
   */
  show(onShown?: () => void): void;
}

/** Computes the writes of a dev write from the state that it changes. */
export type PatchHead = (block: BlockView) => Awaitable<StateWrites>;

/** When the blocks of a run are dated. */
export interface Times {
  /** of the first, seconds; when absent, chain time decides */
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
  /** failures on request */
  readonly faults: Faults;
  readonly metrics: TickMetrics;
  /** Whether long runs of empty blocks are reserved instead of made; false only to replay old recordings. */
  readonly reserves: boolean;
  readonly current: CurrentTask;
  /** Runs a due task as the only writer; never rejects. @param at its time, if that is still to come, milliseconds on the clock */
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
  /** the open block; `undefined` where nobody sees a block before it is sealed */
  readonly preconfirmed: Preconfirmed | undefined;
  /** What {@link start} needs to go on from here; `undefined` while a block is open that isn't empty. */
  readonly resting: OpenRecord | undefined;
  /** When the timer seals the next block, milliseconds on the clock; `undefined` in modes without an interval. */
  readonly sealDue: number | undefined;

  /**
   * Prepares to continue from `head`: opens a block on it, where blocks are open. Nobody sees that yet, and the producer goes on as
   * before until {@link Start.show} is called.
   * @param open the open block to restore
   */
  prepare(head: TrieBlock, open?: OpenRecord): Awaitable<Start>;

  /**
   * What is open now, to continue from it after all, with the same block and at the same times. `chain.latest` has to be the head again
   * then.
   */
  keep(): Start;

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
   * Seals a block with the waiting transactions, in the order of any block; none where no transaction can be in it.
   * @returns what was included and dropped
   */
  sealWaiting(): Promise<FillOutcome>;

  /**
   * Seals a block with a transaction that isn't in the mempool, where nothing in the mempool may come first.
   * @param added called when the transaction is in the block, before that is stored
   * @returns false when nothing has changed: the transaction has to be admitted first, which also says why it is refused
   */
  sealSent(transaction: Transaction, added: () => void): Awaitable<boolean>;

  /**
   * Seals up to `most` blocks without transactions, in batches, where the mode allows it.
   * @param interval seconds between consecutive blocks; when absent, chain time decides the timestamps
   * @returns how many were sealed; 0 where blocks must be made one by one
   */
  sealEmpty(most: bigint, interval?: bigint): Promise<bigint>;

  /**
   * Reserves up to `most` blocks without transactions, see `reserveEmpty`, and shows the last of them.
   * To be called when nothing in the mempool can be in the next block. @returns how many were reserved; 0 where the next block
   * has to be made
   */
  reserve(most: bigint, times: Times): Promise<bigint>;

  /**
   * Settings of the next block: of the open block while it has no transactions, which is then opened again, else of
   * the block after it.
   * @throws DevnetError -32602 for a timestamp that is not after the parent's, and for a field that the block's hardfork
   *   hasn't
   */
  setNext(next: NextSettings): Awaitable<void>;

  /** To be called after settings changed: opens the open block again if it has no transactions yet. */
  settingsChanged(): Awaitable<void>;

  /** Moves chain time up to the newest block's timestamp if it is behind: changes of time count from there. */
  catchUp(): void;

  /** The next block's fees, in wei per gas and per blob gas, and its hardfork. */
  nextFees(): NextFees;

  /**
   * Captures the pending block of this moment: the one that is open, or the one that would be mined now, whatever
   * happens meanwhile.
   */
  pendingNow(): PendingBlock;

  /** Delays the timer by at least `ms` milliseconds; what falls due meanwhile runs late, afterwards. */
  hold(ms: number): void;

  /** Applies a dev write: visible at `latest` and `pending` at once, and part of the next block's state root. */
  patch(write: PatchHead): Awaitable<void>;

  /**
   * Opens the open block again, with other transactions than were pre-confirmed. The mempool stays as it is.
   * @param required if this transaction can't be included, the open block stays as it was
   * @throws Error where no block is open
   */
  rebuild(transactions: readonly Transaction[], required?: Transaction): Promise<Filled>;
}
