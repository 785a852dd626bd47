import type { Transaction } from '../chain/block.ts';
import { type OpenBlock, patch, type TrieBlock } from '../chain/open-block.ts';
import type { StateWrites } from '../state/view.ts';
import { BlockSchedule, type Slot } from './block-schedule.ts';
import type { Flashblock } from './feed.ts';
import { type Filled, fromList } from './fill.ts';
import { slotCount, type Timing } from './mode.ts';
import type { Production } from './production.ts';

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
  readonly #mode: Timing;
  /** of the block that is open */
  #timing: Timing;
  #open: OpenBlock;
  #index = 0;
  #view: TrieBlock;
  #schedule: BlockSchedule;
  #published: Flashblock[] = [];

  private constructor(
    mode: Timing,
    production: Production,
    first: { timing: Timing; open: OpenBlock; view: TrieBlock; schedule: BlockSchedule },
  ) {
    this.#mode = mode;
    this.#timing = first.timing;
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
    mode: Timing,
    production: Production,
    parent: TrieBlock,
    start: number,
    options: { slot?: number; told?: () => void } = {},
  ): Promise<Preconfirming> {
    const timing = production.deps.settings.timing(mode, parent.header);
    const schedule = new BlockSchedule(timing, start, options.slot);
    const open = await production.open(parent, schedule.end);
    production.deps.settings.fix(open.env.timestamp, schedule.end);
    const view = await production.view(open);
    const building = new Preconfirming(mode, production, { timing, open, view, schedule });
    building.#announce(parent, options.told);
    return building;
  }

  /**
   * Opens a block as it was recorded: at index 0, then with its transactions. A record of a mode with longer blocks is
   * begun anew.
   * @returns also the transactions that have no place in it any more
   */
  static async resume(
    mode: Timing,
    production: Production,
    parent: TrieBlock,
    record: OpenRecord | undefined,
    told?: () => void,
  ): Promise<{ building: Preconfirming; left: readonly Transaction[] }> {
    const { blockTime } = production.deps.settings.timing(mode, parent.header);
    const { age, slot } = record && record.age < blockTime ? record : { age: 0, slot: 1 };
    const start = production.deps.clock.now() - age;
    const building = await Preconfirming.begin(mode, production, parent, start, {
      slot,
      ...(told && { told }),
    });
    const list = record?.transactions ?? [];
    if (list.length === 0) return { building, left: [] };
    const { transactions } = await building.extend({ wholeBlock: true, list });
    return { building, left: list.filter((transaction) => !transactions.includes(transaction)) };
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
   * Gas that one index takes by default: an equal share of the block's, so that a flood can't make a tick long. Counted
   * in gas and not in time, so that a replay cuts at the same transaction.
   */
  get #share(): bigint {
    return this.#open.env.gasLimit / BigInt(slotCount(this.#timing)) + 1n;
  }

  /**
   * Adds an index with what waits and shows it.
   * @param options.most transactions that it takes; all by default
   * @param options.wholeBlock it may use all gas that is left, instead of an index's share
   * @param options.list takes these instead of what waits
   * @returns what went in; with `orNothing` no index is made of nothing
   */
  async extend(
    options: {
      most?: number;
      wholeBlock?: boolean;
      orNothing?: boolean;
      list?: readonly Transaction[] | undefined;
    } = {},
  ): Promise<Filled> {
    const { chain } = this.#production.deps;
    const limits = {
      gas: options.wholeBlock ? this.#open.env.gasLimit : this.#share,
      transactions: options.most ?? Number.POSITIVE_INFINITY,
    };
    const source = options.list && fromList(options.list);
    const filled = await this.#production.fill(this.#open, limits, source);
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
    this.#production.deps.settings.fix(open.env.timestamp, this.#schedule.end);
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
    this.#timing = this.#production.deps.settings.timing(this.#mode, sealed.header);
    this.#schedule = new BlockSchedule(this.#timing, start);
    await this.#reopen(sealed);
    this.#announce(sealed, () => this.#production.deps.feed.emit('sealed', sealed));
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
    this.#production.deps.settings.fix(this.#open.env.timestamp, this.#schedule.end);
    this.#view = await this.#production.view(this.#open);
    this.#index = 0;
  }

  #announce(parent: TrieBlock, told?: () => void): void {
    const { chain } = this.#production.deps;
    this.#production.nextPayload();
    chain.moveTo(parent, this.#view);
    told?.();
    this.#published = [];
    this.#publish([]);
  }

  #publish(transactions: readonly Transaction[]): void {
    const { payload, deps } = this.#production;
    const flashblock = { payload, index: this.#index, block: this.#view, transactions };
    this.#published.push(flashblock);
    deps.feed.emit('flashblock', flashblock);
    deps.feed.emit('preconfirmed', flashblock);
  }
}
