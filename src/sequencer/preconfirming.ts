import type { Transaction } from '../chain/block.ts';
import { type OpenBlock, patch, type TrieBlock } from '../chain/open-block.ts';
import type { StateWrites } from '../state/view.ts';
import { BlockSchedule, type Slot } from './block-schedule.ts';
import type { Flashblock } from './feed.ts';
import { type Filled, fromList } from './fill.ts';
import { slotCount } from './mode.ts';
import type { Production } from './production.ts';

/** Milliseconds. */
interface Intervals {
  readonly blockTime: number;
  readonly flashblockInterval: number;
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
  #published: Flashblock[] = [];

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

  /** Opens the block after `parent` at `start` (milliseconds on the clock), which shows with it. */
  static async begin(
    intervals: Intervals,
    production: Production,
    parent: TrieBlock,
    start: number,
  ): Promise<Preconfirming> {
    const schedule = new BlockSchedule(intervals, start);
    const open = await production.open(parent, schedule.end);
    production.deps.settings.fix();
    const view = await production.view(open);
    const building = new Preconfirming(intervals, production, { open, view, schedule });
    building.#announce(parent);
    return building;
  }

  get view(): TrieBlock {
    return this.#view;
  }

  /** What was published of this block, by index. */
  get published(): readonly Flashblock[] {
    return this.#published;
  }

  get isEmpty(): boolean {
    return this.#open.transactions.length === 0;
  }

  /** When the next index is due, milliseconds on the clock. */
  get due(): number {
    return this.#schedule.due;
  }

  /** When the last index is due, milliseconds on the clock. */
  get end(): number {
    return this.#schedule.end;
  }

  takeSlot(): Slot {
    return this.#schedule.take(this.#production.deps.clock.now());
  }

  /**
   * Gas that one index takes by default: an equal share of the block's, so that a flood can't make a tick long. Counted
   * in gas and not in time, so that a replay cuts at the same transaction.
   */
  get #share(): bigint {
    return this.#open.env.gasLimit / BigInt(slotCount(this.#intervals)) + 1n;
  }

  /**
   * Adds an index with what waits and shows it.
   * @param options.most transactions that it takes; all by default
   * @param options.wholeBlock it may use all gas that is left, instead of an index's share
   * @returns what went in; with `orNothing` no index is made of nothing
   */
  async extend(options: { most?: number; wholeBlock?: boolean; orNothing?: boolean } = {}): Promise<Filled> {
    const { chain } = this.#production.deps;
    const filled = await this.#production.fill(this.#open, {
      gas: options.wholeBlock ? this.#open.env.gasLimit : this.#share,
      transactions: options.most ?? Number.POSITIVE_INFINITY,
    });
    if (options.orNothing && filled.transactions.length === 0) {
      this.#production.show(filled, () => {});
      return filled;
    }
    const view = await this.#production.view(filled.open);
    this.#open = filled.open;
    this.#view = view;
    this.#index++;
    this.#production.show(filled, () => chain.showPending(view));
    this.#publish(filled.transactions);
    return filled;
  }

  /**
   * Begins the block anew with other transactions than were pre-confirmed: index 0 of a new payload, then one index
   * that holds those of the list that can be included. The mempool stays as it is.
   * @param required must be among them, or nothing happens
   */
  async rebuild(
    parent: TrieBlock,
    transactions: readonly Transaction[],
    required?: Transaction,
  ): Promise<Filled> {
    const open = await this.#production.open(parent, this.#schedule.end);
    const limits = { gas: open.env.gasLimit, transactions: Number.POSITIVE_INFINITY };
    const filled = await this.#production.fill(open, limits, fromList(transactions));
    const [first, second] = [await this.#production.view(open), await this.#production.view(filled.open)];
    if (required && !filled.transactions.includes(required)) return filled;
    this.#production.deps.settings.fix();
    this.#open = filled.open;
    this.#index = 0;
    this.#view = first;
    this.#announce(parent);
    if (filled.transactions.length === 0) return filled;
    this.#index = 1;
    this.#view = second;
    this.#production.deps.chain.showPending(second);
    this.#publish(filled.transactions);
    return filled;
  }

  /** Stores the block as it stands, and opens the next one at `start`; both show together. */
  async seal(start = this.#production.deps.clock.now()): Promise<TrieBlock> {
    const sealed = await this.store();
    this.#schedule = new BlockSchedule(this.#intervals, start);
    await this.#reopen(sealed);
    this.#announce(sealed, true);
    return sealed;
  }

  /** When the block after this one opens, milliseconds on the clock, and how many slots were missed until then. */
  following(): { readonly start: number; readonly merged: number } {
    return this.#schedule.following(this.#production.deps.clock.now());
  }

  /** Stores the block as it stands, to be shown by the caller. */
  async store(): Promise<TrieBlock> {
    const sealed = await this.#production.store(this.#view);
    this.#production.deps.settings.consume();
    return sealed;
  }

  /** Begins the block anew under changed settings, while it has no transactions. */
  async restartIfEmpty(parent: TrieBlock): Promise<void> {
    if (this.isEmpty) await this.restart(parent);
  }

  /** Begins the block anew on another parent, without its transactions. */
  async restart(parent: TrieBlock): Promise<void> {
    await this.#reopen(parent);
    this.#announce(parent);
  }

  /** The block's state so far, as a dev write reads it: what ends a block is not in it. */
  get body(): TrieBlock {
    return { ...this.#view, state: this.#open.state };
  }

  /**
   * Folds a dev write into the block; `head` is its parent with the same change. It is one more index, without
   * transactions: the last hash that the stream says must be the sealed one (SPEC 5).
   */
  async patch(head: TrieBlock, writes: StateWrites): Promise<void> {
    this.#open = patch({ ...this.#open, parent: head }, writes);
    this.#view = await this.#production.view(this.#open);
    this.#index++;
    this.#production.deps.chain.moveTo(head, this.#view);
    this.#publish([]);
  }

  async #reopen(parent: TrieBlock): Promise<void> {
    this.#open = await this.#production.open(parent, this.#schedule.end);
    this.#production.deps.settings.fix();
    this.#view = await this.#production.view(this.#open);
    this.#index = 0;
  }

  #announce(parent: TrieBlock, sealed = false): void {
    const { chain, feed } = this.#production.deps;
    this.#production.nextPayload();
    chain.moveTo(parent, this.#view);
    if (sealed) feed.emit('sealed', parent);
    this.#published = [];
    this.#publish([]);
  }

  #publish(transactions: readonly Transaction[]): void {
    const { payload, deps } = this.#production;
    const flashblock = { payload, index: this.#index, block: this.#view, transactions };
    this.#published.push(flashblock);
    deps.feed.emit('flashblock', flashblock);
  }
}
