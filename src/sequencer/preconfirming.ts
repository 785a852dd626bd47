import type { Transaction } from '../chain/block.ts';
import { type OpenBlock, patch, type TrieBlock } from '../chain/open-block.ts';
import { BlockSchedule, type Slot } from './block-schedule.ts';
import { type DevWrite, writesOf } from './dev-write.ts';
import type { Filled } from './fill.ts';
import { slotCount } from './mode.ts';
import type { Production } from './production.ts';

/** Milliseconds. */
interface Intervals {
  readonly blockTime: number;
  readonly flashblockInterval: number;
}

/** An open block, so that it can be opened again after a revert. */
export interface OpenRecord {
  readonly transactions: readonly Transaction[];
  /** how long it had been open, milliseconds */
  readonly age: number;
  /** the slot that came next */
  readonly slot: number;
}

/**
 * The block that is open in the modes that pre-confirm: it begins at index 0 without transactions, grows by one index
 * a slot, and what its last index shows is what is sealed.
 */
export class Preconfirming {
  readonly #production: Production;
  readonly #intervals: Intervals;
  #open: OpenBlock;
  #index = 0;
  #view: TrieBlock;
  #schedule: BlockSchedule;

  private constructor(
    intervals: Intervals,
    production: Production,
    first: { open: OpenBlock; view: TrieBlock; schedule: BlockSchedule },
  ) {
    this.#intervals = intervals;
    this.#production = production;
    this.#open = first.open;
    this.#view = first.view;
    this.#schedule = first.schedule;
  }

  /**
   * Opens the block after `parent`, which shows with it.
   * @param start milliseconds on the clock
   * @param options.slot the first slot that is still to be published; 1 unless told
   * @param options.told runs when the block shows, before it is announced
   */
  static async begin(
    intervals: Intervals,
    production: Production,
    parent: TrieBlock,
    start: number,
    options: { slot?: number; told?: () => void } = {},
  ): Promise<Preconfirming> {
    const schedule = new BlockSchedule(intervals, start, options.slot);
    const open = await production.open(parent, schedule.end);
    production.deps.settings.fix();
    const view = await production.view(open);
    const building = new Preconfirming(intervals, production, { open, view, schedule });
    building.#announce(parent, options.told);
    return building;
  }

  /**
   * Opens a block as it was recorded: at index 0, then with its transactions. A record of a mode with longer blocks is
   * begun anew.
   * @returns also the transactions that have no place in it any more
   */
  static async resume(
    intervals: Intervals,
    production: Production,
    parent: TrieBlock,
    record: OpenRecord | undefined,
    told?: () => void,
  ): Promise<{ building: Preconfirming; left: readonly Transaction[] }> {
    const { age, slot } = record && record.age < intervals.blockTime ? record : { age: 0, slot: 1 };
    const start = production.deps.clock.now() - age;
    const building = await Preconfirming.begin(intervals, production, parent, start, {
      slot,
      ...(told && { told }),
    });
    const list = record?.transactions ?? [];
    if (list.length === 0) return { building, left: [] };
    const { transactions } = await building.extend({ whole: true, list });
    return { building, left: list.filter((transaction) => !transactions.includes(transaction)) };
  }

  get view(): TrieBlock {
    return this.#view;
  }

  get isEmpty(): boolean {
    return this.#open.transactions.length === 0;
  }

  /** When the next index is due, milliseconds on the clock. */
  get due(): number {
    return this.#schedule.due;
  }

  record(): OpenRecord {
    const { start, next } = this.#schedule;
    return {
      transactions: this.#open.transactions,
      age: this.#production.deps.clock.now() - start,
      slot: next,
    };
  }

  takeSlot(): Slot {
    return this.#schedule.take(this.#production.deps.clock.now());
  }

  /**
   * Adds an index with what waits and shows it.
   * @param options.most transactions that it takes
   * @param options.whole all the gas that is left may be used, since nothing comes after it
   * @param options.list takes these instead of what waits
   */
  async extend(
    options: { most?: number; whole?: boolean; list?: readonly Transaction[] } = {},
  ): Promise<Filled> {
    const { most = Number.POSITIVE_INFINITY, whole = false, list } = options;
    const { chain, feed } = this.#production.deps;
    // Each index gets an equal share of the block's gas, so that a flood can't make a tick long. Counted in gas and
    // not in time, so that a replay cuts at the same transaction.
    const gas = this.#open.env.gasLimit / BigInt(whole ? 1 : slotCount(this.#intervals));
    const filled = await this.#production.fill(this.#open, {
      gas,
      transactions: most,
      ...(list && { list }),
    });
    const view = await this.#production.view(filled.open);
    this.#open = filled.open;
    this.#view = view;
    this.#index++;
    this.#production.leavePool(filled);
    chain.showPending(view);
    feed.emit('flashblock', {
      payload: this.#production.payload,
      index: this.#index,
      block: view,
      transactions: filled.transactions,
    });
    return filled;
  }

  /** Stores the block as it stands, and opens the next one at `start`; both show together. */
  async seal(start = this.#production.deps.clock.now()): Promise<TrieBlock> {
    const sealed = await this.store();
    this.#production.deps.settings.consume();
    this.#schedule = new BlockSchedule(this.#intervals, start);
    await this.#reopen(sealed);
    this.#announce(sealed, () => this.#production.deps.feed.emit('sealed', sealed));
    return sealed;
  }

  /** When the block after this one opens, milliseconds on the clock. */
  nextStart(): number {
    return this.#schedule.nextStart(this.#production.deps.clock.now());
  }

  /** Stores the block as it stands, to be shown by the caller. */
  store(): Promise<TrieBlock> {
    return this.#production.deps.chain.store(this.#view);
  }

  /** Begins the block anew under changed settings. Only while it has no transactions. */
  async restart(parent: TrieBlock): Promise<void> {
    await this.#reopen(parent);
    this.#announce(parent);
  }

  /** Folds a dev write into the block; `head` is its parent with the same write. */
  async patch(head: TrieBlock, write: DevWrite): Promise<void> {
    const writes = await writesOf(write, this.#open.state);
    this.#open = patch({ ...this.#open, parent: head }, writes);
    this.#view = await this.#production.view(this.#open);
    this.#production.deps.chain.moveTo(head, this.#view);
  }

  async #reopen(parent: TrieBlock): Promise<void> {
    this.#open = await this.#production.open(parent, this.#schedule.end);
    this.#production.deps.settings.fix();
    this.#view = await this.#production.view(this.#open);
    this.#index = 0;
  }

  #announce(parent: TrieBlock, told?: () => void): void {
    const { chain, feed } = this.#production.deps;
    this.#production.nextPayload();
    chain.moveTo(parent, this.#view);
    told?.();
    feed.emit('flashblock', {
      payload: this.#production.payload,
      index: 0,
      block: this.#view,
      transactions: [],
    });
  }
}
