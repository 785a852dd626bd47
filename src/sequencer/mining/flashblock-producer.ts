import { type Transaction, type TrieBlock, withState } from '../../chain/block.ts';
import { type OpenBlock, patchBlock } from '../../chain/open-block.ts';
import type { PendingBlock } from '../../chain/refs.ts';
import { sentTransactions } from '../../protocol/op-stack/l1-attributes.ts';
import type { Flashblock } from '../feed/feed.ts';
import { feesOfOpen, feesOfPlan, type NextFees } from '../next-fees.ts';
import { checkFields, type NextSettings } from '../settings.ts';
import { assertAnswered, type FilledOpenBlock, fromList } from './fill.ts';
import { FlashblockSchedule } from './flashblock-schedule.ts';
import { LeadTime } from './lead-time.ts';
import { slotCount, type TimedMode, type Timing } from './mode.ts';
import { NextBlockPreview } from './next-block-preview.ts';
import type {
  OpenRecord,
  PatchHead,
  Preconfirmed,
  PreparedStart,
  Producer,
  ProducerDeps,
  Timestamps,
} from './producer.ts';
import { reserveEmpty } from './reserve-empty.ts';
import { ProducerTimer } from './timer.ts';

/** The open block. */
interface Building {
  /** the mode's timing, with this block's own block time if the mode has a range */
  readonly timing: Timing;
  readonly schedule: FlashblockSchedule;
  readonly open: OpenBlock;
  /** `open` as readers see it */
  readonly view: TrieBlock;
  /** index of its newest flashblock */
  readonly index: number;
}

/** Options of a new flashblock. */
interface FlashblockOptions {
  /** may use all the gas that the block has left, instead of one flashblock's share */
  readonly wholeBlock?: boolean;
  /** makes no flashblock if there is no transaction for it */
  readonly skipEmpty?: boolean;
  /** the earliest time to show it, milliseconds on the clock; by default it is shown as soon as it is made */
  readonly due?: number;
}

/**
 * Keeps a block open and pre-confirms it. Flashblock 0 opens the block without sent transactions, each slot adds one
 * flashblock, and the block is sealed exactly as its last flashblock shows it. Used in interval and mixed mode with
 * flashblocks.
 */
export class FlashblockProducer implements Producer {
  readonly mode: TimedMode;
  readonly #deps: ProducerDeps;
  readonly #timer: ProducerTimer;
  readonly #leadTime: LeadTime;
  /** builds the `pending` block before the start, while no block is open */
  readonly #next: NextBlockPreview;
  #building: Building | undefined;
  /** number of starts, to ignore a tick that was queued before the latest one */
  #starts = 0;
  /** the open block's published flashblocks, by index */
  #published: Flashblock[] = [];

  constructor(mode: TimedMode, deps: ProducerDeps) {
    this.mode = mode;
    this.#deps = deps;
    this.#timer = new ProducerTimer(mode, deps);
    this.#leadTime = new LeadTime(mode.flashblockInterval, deps);
    this.#next = new NextBlockPreview(deps);
  }

  get preconfirmed(): Preconfirmed | undefined {
    const building = this.#building;
    if (!building) return undefined;
    const { open, view, schedule } = building;
    const age = this.#deps.clock.now() - schedule.start;
    return {
      view,
      published: this.#published,
      record: { transactions: sentTransactions(open.transactions, open.hardfork), age, slot: schedule.next },
    };
  }

  get resting(): OpenRecord | undefined {
    const isFresh = this.#building?.index === 0 && this.#isEmpty;
    return isFresh ? this.preconfirmed?.record : undefined;
  }

  get sealDue(): number | undefined {
    return this.#building?.schedule.end;
  }

  /** A recorded block that has been open for this mode's block time or longer starts with a full block time again. */
  async prepare(head: TrieBlock, record?: OpenRecord): Promise<PreparedStart> {
    const { assembler, chain, clock, settings } = this.#deps;
    const timing = settings.timing(this.mode, head.header);
    const { age, slot } = record && record.age < timing.blockTime ? record : { age: 0, slot: 1 };
    const schedule = new FlashblockSchedule(timing, clock.now() - age, slot);
    const first = await this.#open(head, timing, schedule);
    const list = record?.transactions ?? [];
    const filled =
      list.length > 0
        ? await assembler.fill(first.open, { gas: first.open.env.gasLimit }, fromList(list))
        : undefined;
    if (filled) assertAnswered(filled);
    const view = filled && (await assembler.view(filled.open));
    const included = new Set<Transaction>(filled?.transactions);
    const show = (onShown?: () => void) => {
      this.#announce(head, first, onShown);
      this.#starts++;
      if (filled && view) {
        this.#add(filled.open, view);
        assembler.show(filled, () => chain.showPending(view));
        this.#publish(filled.transactions);
      }
      this.#arm();
    };
    return { left: list.filter((transaction) => !included.has(transaction)), show };
  }

  /** {@link PreparedStart.show} publishes the open block's flashblocks again, with a new payload id. */
  keep(): PreparedStart {
    const { assembler, chain, feed } = this.#deps;
    const head = chain.latest;
    const building = this.#building;
    const published = this.#published;
    const { start, next } = building?.schedule ?? {};
    const show = (onShown?: () => void) => {
      if (!building) throw new Error('no block was open');
      this.#building = { ...building, schedule: new FlashblockSchedule(building.timing, start!, next) };
      assembler.nextPayload();
      chain.moveTo(head, building.view);
      onShown?.();
      this.#starts++;
      const { payload } = assembler;
      this.#published = published.map((flashblock) => ({ ...flashblock, payload }));
      for (const flashblock of this.#published) {
        feed.emit('flashblock', flashblock);
        feed.emit('preconfirmed', flashblock);
      }
      this.#arm();
    };
    return { left: [], show };
  }

  async start(head: TrieBlock, open?: OpenRecord): Promise<void> {
    (await this.prepare(head, open)).show();
  }

  async stop(): Promise<void> {
    this.#timer.stop();
    if (!this.#building) return;
    const { assembler, chain, feed } = this.#deps;
    const sealed = this.#isEmpty ? undefined : await assembler.store(this.#now.view);
    this.#building = undefined;
    chain.moveTo(sealed ?? chain.latest, undefined);
    if (sealed) feed.emit('sealed', sealed);
    feed.emit('closed', undefined);
  }

  async seal(timestamp?: bigint): Promise<TrieBlock> {
    if (timestamp !== undefined) {
      const isFixed = !this.#isEmpty;
      await this.setNext({ timestamp });
      if (isFixed) await this.#seal();
    }
    await this.#extend({ wholeBlock: true });
    return this.#sealAndArm();
  }

  /** Publishes the transactions in a flashblock, then seals the block. */
  async sealWaiting(): Promise<FilledOpenBlock> {
    const filled = await this.#extend({ wholeBlock: true, skipEmpty: true });
    if (filled.transactions.length > 0) await this.#sealAndArm();
    return filled;
  }

  /** Always false: in this mode a transaction is pre-confirmed before its block is sealed. */
  sealSent(): boolean {
    return false;
  }

  async sealEmpty(): Promise<bigint> {
    return 0n;
  }

  async reserve(most: bigint, times: Timestamps): Promise<bigint> {
    const { chain, settings, feed, clock } = this.#deps;
    const before = chain.latest.header.number;
    if (!this.#isEmpty) return 0n;
    const head = await reserveEmpty({ most, times, sealAt: this.#now.schedule.end }, this.#deps);
    if (!head) return 0n;
    const timing = settings.timing(this.mode, head.header);
    const next = await this.#open(head, timing, new FlashblockSchedule(timing, clock.now()));
    this.#announce(head, next, () => feed.emit('sealed', head));
    this.#arm();
    return head.header.number - before;
  }

  async setNext(next: NextSettings): Promise<void> {
    const { chain, engine, settings } = this.#deps;
    const { timing, schedule, view } = this.#now;
    const parent = (this.#isEmpty ? chain.latest : view).header;
    const sealAt = schedule.end + (this.#isEmpty ? 0 : timing.blockTime);
    checkFields(next, feesOfPlan(parent, settings.plan(parent, sealAt), engine.schedule).hardfork);
    settings.setNext(next, parent);
    await this.settingsChanged();
  }

  async settingsChanged(): Promise<void> {
    if (this.#isEmpty) await this.#restart();
  }

  catchUp(): void {
    const { chain, settings } = this.#deps;
    const { header } = this.#isEmpty ? chain.latest : this.#now.view;
    settings.time.reach(header.timestamp, this.#now.schedule.end);
  }

  nextFees(): NextFees {
    if (!this.#building) return this.#next.fees();
    return feesOfOpen(this.#building.view.header, this.#deps.engine.schedule);
  }

  pendingNow(): PendingBlock {
    const building = this.#building;
    if (!building) return this.#next.pendingNow();
    return { block: () => building.view, callView: () => building.view };
  }

  hold(ms: number): void {
    this.#arm(this.#deps.clock.now() + ms);
  }

  /**
   * Publishes one more flashblock, without transactions, because the last hash in the stream must be that of the sealed
   * block. The write runs again on the open block's state, where transactions may have changed other fields of the same
   * accounts. On an OP chain a block without sent transactions is opened again, because the write may change its L1 attributes.
   */
  async patch(write: PatchHead): Promise<void> {
    const { assembler, chain } = this.#deps;
    const writes = await write(chain.latest);
    const { open, view, timing, schedule } = this.#now;
    if (open.hardfork.rollup && this.#isEmpty) {
      const patched = await chain.patchHead(writes);
      this.#announce(patched, await this.#open(patched, timing, schedule));
      assembler.renewNonces(writes);
      return;
    }
    // `open.state` doesn't contain the end-of-block changes (withdrawals, system calls): making the view applies them.
    const later = await write(withState(view, open.state));
    const head = await chain.patchHead(writes);
    const patched = patchBlock({ ...open, parent: head }, later);
    const shown = await assembler.view(patched);
    this.#add(patched, shown);
    chain.moveTo(head, shown);
    this.#publish([]);
    assembler.renewNonces(later);
  }

  /** Publishes flashblock 0 of a new payload, then one flashblock with all transactions that can be included. */
  async rebuild(transactions: readonly Transaction[], required?: Transaction): Promise<FilledOpenBlock> {
    const { assembler, chain, settings } = this.#deps;
    const { timing, schedule } = this.#now;
    const empty = await assembler.open(chain.latest, schedule.end);
    const limits = { gas: empty.env.gasLimit };
    const filled = await assembler.fill(empty, limits, fromList(transactions));
    assertAnswered(filled);
    const [first, second] = [await assembler.view(empty), await assembler.view(filled.open)];
    if (required && !filled.transactions.includes(required)) return filled;
    settings.assignNextToOpenBlock(empty.env.timestamp, schedule.end);
    this.#announce(chain.latest, { timing, schedule, open: empty, view: first, index: 0 });
    if (filled.transactions.length === 0) return filled;
    this.#building = { timing, schedule, open: filled.open, view: second, index: 1 };
    chain.showPending(second);
    this.#publish(filled.transactions);
    return filled;
  }

  get #now(): Building {
    if (!this.#building) throw new Error('no block is open');
    return this.#building;
  }

  get #isEmpty(): boolean {
    const { transactions, hardfork } = this.#now.open;
    return sentTransactions(transactions, hardfork).length === 0;
  }

  /** Sets the timer for the next flashblock. @param until earliest time to fire, milliseconds on the clock */
  #arm(until?: number): void {
    const starts = this.#starts;
    const task = async () => {
      if (this.#building && this.#starts === starts) await this.#tick();
    };
    const hasWork = () => this.#leadTime.ms(this.#deps.mempool.size > 0) > 0;
    this.#timer.arm(this.#now.schedule.due, until, task, this.#leadTime.ms(true), hasWork);
  }

  async #tick(): Promise<void> {
    const { onTick } = this.#deps;
    onTick();
    const before = this.#now;
    const { start, next } = before.schedule;
    try {
      await this.#takeSlot();
    } catch (error) {
      // The slot failed: it stays the next one.
      const schedule = new FlashblockSchedule(before.timing, start, next);
      if (this.#building?.view === before.view) this.#building = { ...before, schedule };
      throw error;
    }
  }

  async #takeSlot(): Promise<void> {
    const { clock, wall, faults, metrics } = this.#deps;
    const begun = wall.precise();
    const { schedule } = this.#now;
    const slot = schedule.take(clock.now());
    if (faults.takeSkip()) await this.#leadTime.waitUntil(slot.due);
    else await this.#extend({ due: slot.due });
    const next = slot.last ? schedule.following(clock.now()) : undefined;
    metrics.count({
      drift: clock.precise() - slot.due,
      length: wall.precise() - begun - this.#leadTime.waited,
      merged: slot.merged + (next?.merged ?? 0),
      interval: this.mode.flashblockInterval,
    });
    const delay = next ? faults.takeSealDelay() : 0;
    if (delay > 0) return this.#sealLate(clock.now() + delay);
    if (next) await this.#seal(next.start);
    this.#arm();
  }

  /** Seals the finished block at `until`, milliseconds on the clock. */
  #sealLate(until: number): void {
    const { clock, onTick } = this.#deps;
    // If the block is sealed before then, the timer is set again and this task doesn't run. If it is only reopened, this task runs.
    this.#timer.arm(until, until, async () => {
      if (!this.#building) return;
      onTick();
      await this.#seal(this.#now.schedule.following(clock.now()).start);
      this.#arm();
    });
  }

  /** Adds a flashblock with transactions from the mempool, and shows it. */
  async #extend(options: FlashblockOptions = {}): Promise<FilledOpenBlock> {
    const { assembler, chain, clock } = this.#deps;
    const { open, timing } = this.#now;
    const { wholeBlock, skipEmpty, due } = options;
    const begun = clock.precise();
    // By default each flashblock gets an equal share of the block's gas, so that no tick takes long even when very many
    // transactions are pending. The limit is gas, not time, so that a replay ends the flashblock at the same transaction.
    const share = open.env.gasLimit / BigInt(slotCount(timing)) + 1n;
    const limits = { gas: wholeBlock ? open.env.gasLimit : share };
    const filled = await assembler.fill(open, limits);
    if (skipEmpty && filled.transactions.length === 0) {
      assembler.show(filled, () => {});
      return filled;
    }
    const view = await assembler.view(filled.open);
    if (due !== undefined) {
      this.#leadTime.add(clock.precise() - begun);
      await this.#leadTime.waitUntil(due);
    }
    this.#add(filled.open, view);
    assembler.show(filled, () => chain.showPending(view));
    this.#publish(filled.transactions);
    return filled;
  }

  /** Replaces the open block with `open`, which contains one more flashblock. The caller shows `view`. */
  #add(open: OpenBlock, view: TrieBlock): void {
    const { timing, schedule, index } = this.#now;
    this.#building = { timing, schedule, open, view, index: index + 1 };
  }

  async #sealAndArm(): Promise<TrieBlock> {
    const sealed = await this.#seal();
    this.#arm();
    return sealed;
  }

  /**
   * Stores the open block as it is, and opens the next one. Readers see both changes at the same time.
   * @param start when the next block opens, milliseconds on the clock
   */
  async #seal(start = this.#deps.clock.now()): Promise<TrieBlock> {
    const { assembler, settings, feed } = this.#deps;
    const sealed = await assembler.store(this.#now.view);
    const timing = settings.timing(this.mode, sealed.header);
    const next = await this.#open(sealed, timing, new FlashblockSchedule(timing, start));
    this.#announce(sealed, next, () => feed.emit('sealed', sealed));
    return sealed;
  }

  /** Reopens the block on the head, without transactions. */
  async #restart(): Promise<void> {
    const { timing, schedule } = this.#now;
    const head = this.#deps.chain.latest;
    this.#announce(head, await this.#open(head, timing, schedule));
  }

  async #open(parent: TrieBlock, timing: Timing, schedule: FlashblockSchedule): Promise<Building> {
    const { assembler, settings } = this.#deps;
    const open = await assembler.open(parent, schedule.end);
    settings.assignNextToOpenBlock(open.env.timestamp, schedule.end);
    return { timing, schedule, open, view: await assembler.view(open), index: 0 };
  }

  /** Shows a new block and publishes its flashblock 0. @param onShown called between the two */
  #announce(parent: TrieBlock, building: Building, onShown?: () => void): void {
    const { assembler, chain } = this.#deps;
    this.#building = building;
    assembler.nextPayload();
    chain.moveTo(parent, building.view);
    onShown?.();
    this.#published = [];
    this.#publish(building.open.transactions);
  }

  #publish(transactions: readonly Transaction[]): void {
    const { assembler, feed } = this.#deps;
    const { index, view } = this.#now;
    const flashblock = { payload: assembler.payload, index, block: view, transactions };
    this.#published = [...this.#published, flashblock];
    feed.emit('flashblock', flashblock);
    feed.emit('preconfirmed', flashblock);
  }
}
