import type { BlockView, Transaction, TrieBlock } from '../../chain/block.ts';
import type { Chain } from '../../chain/chain.ts';
import type { Clock } from '../../clock.ts';
import type { Engine } from '../../evm/engine.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import type { Awaitable, StateWrites } from '../../state/view.ts';
import type { Faults } from '../feed/faults.ts';
import type { Feed, Flashblock } from '../feed/feed.ts';
import type { TickMetrics } from '../feed/metrics.ts';
import type { NextFees } from '../next-fees.ts';
import type { NextBlock, Settings } from '../settings.ts';
import type { TaskClock } from '../task-clock.ts';
import type { BlockAssembler } from './assembler.ts';
import type { Filled } from './fill.ts';
import type { MiningMode } from './mode.ts';

/** An open block, so that it can be opened again after a revert. */
export interface OpenRecord {
  readonly transactions: readonly Transaction[];
  /** how long it had been open, milliseconds */
  readonly age: number;
  /** the slot that came next */
  readonly slot: number;
}

/** A block that is open, and shown while it grows. */
export interface Preconfirmed {
  readonly view: TrieBlock;
  /** what was published of it, by index */
  readonly published: readonly Flashblock[];
  readonly record: OpenRecord;
}

/** Makes a dev write from the state that it changes. */
export type PatchHead = (block: TrieBlock) => Awaitable<StateWrites>;

export interface ProducerDeps {
  readonly assembler: BlockAssembler;
  readonly chain: Chain;
  readonly engine: Engine;
  readonly mempool: Mempool;
  readonly settings: Settings;
  /** drives the chain */
  readonly clock: TaskClock;
  /** measures work */
  readonly wall: Clock;
  readonly feed: Feed;
  /** failures on demand */
  readonly faults: Faults;
  readonly metrics: TickMetrics;
  /** Runs what fell due as the only writer; never rejects. */
  readonly run: (task: () => Promise<void>) => Promise<void>;
  /** told when what fell due begins to change the chain */
  readonly onTick: () => void;
}

/**
 * Makes blocks, in one of two ways: a flashblock producer keeps a block open, which it pre-confirms piece by piece; an
 * instant one makes each block in one go. Whoever calls it is the only writer of the chain.
 */
export interface BlockProducer {
  readonly mode: MiningMode;
  /** `undefined` where blocks are made in one go, and while the open one is set aside */
  readonly preconfirmed: Preconfirmed | undefined;
  /** When the next block is sealed of itself, milliseconds on the clock. */
  readonly sealDue: number | undefined;

  /**
   * Goes on from `head`, which shows: opens a block on it, or waits for transactions.
   * @param options.open opens the block as it was recorded
   * @param options.told runs when the head shows, before anything new is announced
   * @returns those transactions of the record that have no place in the open block
   */
  start(
    head: TrieBlock,
    options?: { open?: OpenRecord | undefined; told?: () => void },
  ): Promise<readonly Transaction[]>;

  /** Nothing goes on of itself any more. Seals the open block if it has transactions, else drops it. */
  stop(): Promise<void>;

  /**
   * Seals a block now, with what waits.
   * @param timestamp seconds. That of an open block with transactions is fixed: it is sealed first, as it stands
   */
  seal(timestamp?: bigint): Promise<TrieBlock>;

  /** Seals a block of the transaction that is next, and none of nothing. @returns what went in and what was dropped */
  sealOne(): Promise<Filled>;

  /**
   * Seals many blocks without transactions at a time, where it can.
   * @param interval seconds from one to the next; chain time when absent
   * @returns how many were sealed; 0 where blocks have to be made one by one
   */
  sealEmpty(most: bigint, interval?: bigint): Promise<bigint>;

  /**
   * Settings of the next block: the open one while it has no transactions, which is then begun anew, else the one after.
   * @throws DevnetError -32602 for a timestamp that is not after the parent's
   */
  setNext(next: NextBlock): Promise<void>;

  /** Settings changed: the open block is begun anew while it has no transactions. */
  settingsChanged(): Promise<void>;

  /** Chain time isn't behind the head: what moves it counts from there, also where no block was made in it so far. */
  catchUp(): void;

  /** Fees of the block that comes next, in wei per gas and per blob gas, and its rules. */
  nextFees(): NextFees;

  /**
   * Takes note of this moment.
   * @returns what gives the block that is open now, or builds the one that would be mined now, whatever happens since
   */
  pendingNow(): () => Awaitable<BlockView>;

  /** Nothing falls due for so many milliseconds; then all that did, late. */
  hold(ms: number): void;

  /** A dev write: shows at `latest` and `pending` at once, and is in the next block's root. */
  patch(write: PatchHead): Promise<void>;

  /** Runs `task` with no block open; the one that was is then begun anew on the head, without its transactions. */
  setAside(task: () => Promise<void>): Promise<void>;

  /**
   * Begins the open block anew with other transactions than were pre-confirmed. The mempool stays as it is.
   * @param required must be among them, or nothing happens
   * @throws Error where no block is open
   */
  rebuild(transactions: readonly Transaction[], required?: Transaction): Promise<Filled>;
}
