import type { Transaction } from '../chain/block.ts';
import type { TrieBlock } from '../chain/open-block.ts';
import { admit, readmit } from './admit.ts';
import { type DevWrite, writesOf } from './dev-write.ts';
import type { Filled } from './fill.ts';
import { type MiningMode, preconfirms, sealsEachSend } from './mode.ts';
import { type NextFees, nextFees } from './next-fees.ts';
import { OnDemand } from './on-demand.ts';
import { type OpenRecord, Preconfirming } from './preconfirming.ts';
import { Production, type ProductionDeps, type ProductionOptions } from './production.ts';
import type { BlockSettings, NextBlock } from './settings.ts';
import { TickMetrics } from './tick-metrics.ts';
import type { Turn } from './turn.ts';

export interface SequencerOptions extends ProductionOptions {
  readonly mode: MiningMode;
}

export interface SequencerDeps extends ProductionDeps {
  /** A block can't be made or stored: the chain can't go on. */
  readonly onFatal: (error: unknown) => void;
}

const ALL = Number.POSITIVE_INFINITY;

/**
 * The only writer. All that changes the chain goes through one queue, so ticks never overlap and dev writes fall
 * between them.
 */
export class Sequencer {
  readonly metrics = new TickMetrics();
  readonly #deps: SequencerDeps;
  readonly #production: Production;
  readonly #onDemand: OnDemand;
  #mode: MiningMode;
  #building: Preconfirming | undefined;
  #timer: Disposable | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #running = false;

  constructor(options: SequencerOptions, deps: SequencerDeps) {
    this.#mode = options.mode;
    this.#deps = deps;
    this.#production = new Production(options, deps);
    this.#onDemand = new OnDemand(this.#production);
    deps.chain.buildPendingWith(() => this.#onDemand.pending());
  }

  /** Fees of the block that comes next, in wei per gas and per blob gas. */
  nextFees(): NextFees {
    return nextFees(this.#building?.view.header, this.#deps);
  }

  get mode(): MiningMode {
    return this.#mode;
  }

  /** Opens the first block, or waits for transactions, as the mode has it. */
  start(): Promise<void> {
    return this.#exclusive(async () => {
      this.#running = true;
      await this.#begin();
    });
  }

  /** Seals the open block if it has transactions, else drops it; then nothing moves any more. */
  stop(): Promise<void> {
    return this.#exclusive(async () => {
      if (!this.#running) return;
      this.#running = false;
      await this.#leaveOpenBlock();
    });
  }

  /**
   * Takes a transaction. In automine and mixed mode the block that holds it is sealed before this returns.
   * @throws DevnetError -32003 when it is not admitted
   */
  async submit(transaction: Transaction): Promise<void> {
    if (!sealsEachSend(this.#mode)) return this.#admit(transaction);
    await this.#exclusive(async () => {
      await this.#admit(transaction);
      for (;;) {
        const filled = await this.#mineOne();
        const refused = filled.dropped.find((drop) => drop.transaction === transaction);
        if (refused) throw refused.error;
        if (filled.transactions.length === 0) return;
      }
    });
  }

  /** Seals a block now, with what waits. @param timestamp seconds */
  mine(timestamp?: bigint): Promise<TrieBlock> {
    return this.#exclusive(async () => {
      if (timestamp !== undefined) await this.#applyNext({ timestamp });
      return this.#seal();
    });
  }

  /** Runs `task` while nothing else changes the chain. It must not call back into the sequencer but by its `turn`. */
  inTurn<T>(task: (turn: Turn) => Promise<T>): Promise<T> {
    return this.#exclusive(() =>
      task({
        open: this.#building?.record(),
        continueFrom: (head, options) => this.#continueFrom(head, options),
        mine: (list) => this.#seal(list),
        mineEmpty: (count, interval) => this.#onDemand.mineEmpty(count, interval),
        setNext: (next) => this.#applyNext(next),
        settingsChanged: () => this.#restartIfEmpty(),
      }),
    );
  }

  /** Switches the mode. Pre-confirmed transactions of the open block are sealed first. */
  setMode(mode: MiningMode): Promise<void> {
    return this.#exclusive(async () => {
      await this.#leaveOpenBlock();
      this.#mode = mode;
      await this.#begin();
    });
  }

  /**
   * Settings of the next block: the open one while it has no transactions, which is then begun anew, else the one after.
   * @throws DevnetError -32602 for a timestamp that is not after the parent's
   */
  setNext(next: NextBlock): Promise<void> {
    return this.#exclusive(() => this.#applyNext(next));
  }

  /** What every block gets, unless set for one. */
  get blockSettings(): BlockSettings {
    return this.#deps.settings.every;
  }

  /** Settings from the next block on, see {@link setNext}. */
  configure(settings: Partial<BlockSettings>): Promise<void> {
    return this.#exclusive(async () => {
      this.#deps.settings.change(settings);
      await this.#restartIfEmpty();
    });
  }

  /**
   * A dev write: shows at `latest` and `pending` at once, and is in the next block's root.
   * @param write runs for the head's state, and again for that of the open block, where the account may differ
   */
  patch(write: DevWrite): Promise<void> {
    return this.#exclusive(async () => {
      const { chain, mempool } = this.#deps;
      const head = await chain.patchHead(await writesOf(write, chain.latest.state));
      if (this.#building) await this.#building.patch(head, write);
      else chain.moveTo(head, undefined);
      const { state } = this.#building?.view ?? head;
      mempool.prune((sender) => state.getAccount(sender)?.nonce ?? 0n);
    });
  }

  /** Runs `task` as the only writer. */
  #exclusive<T>(task: () => Promise<T>): Promise<T> {
    const run = this.#queue.then(task);
    this.#queue = run.catch(() => {});
    return run;
  }

  async #begin(): Promise<void> {
    const { chain, clock } = this.#deps;
    const mode = this.#mode;
    if (preconfirms(mode)) {
      this.#building = await Preconfirming.begin(mode, this.#production, chain.latest, clock.now());
      this.#armTick();
    } else {
      chain.showPending(undefined);
      this.#armOnDemand();
    }
  }

  async #continueFrom(
    head: TrieBlock,
    { open, told }: { open?: OpenRecord | undefined; told?: () => void } = {},
  ): Promise<void> {
    const { chain } = this.#deps;
    let left = open?.transactions ?? [];
    const mode = this.#mode;
    if (preconfirms(mode)) {
      const resumed = await Preconfirming.resume(mode, this.#production, head, open, told);
      this.#building = resumed.building;
      left = resumed.left;
      this.#armTick();
    } else {
      chain.moveTo(head, undefined);
      told?.();
      this.#armOnDemand();
    }
    await readmit(left, (transaction) => this.#admit(transaction), this.#deps.feed);
  }

  /** Seals a block now with what waits, or with `list`. */
  async #seal(list?: readonly Transaction[]): Promise<TrieBlock> {
    if (!this.#building) {
      await this.#onDemand.mine(ALL, false, list);
      this.#armOnDemand();
      return this.#deps.chain.latest;
    }
    await this.#building.extend({ whole: true, ...(list && { list }) });
    const sealed = await this.#building.seal();
    this.#armTick();
    return sealed;
  }

  async #leaveOpenBlock(): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    const building = this.#building;
    if (!building) return;
    const { chain, feed } = this.#deps;
    const sealed = building.isEmpty ? undefined : await building.store();
    this.#building = undefined;
    chain.moveTo(sealed ?? chain.latest, undefined);
    if (sealed) feed.emit('sealed', sealed);
  }

  #admit(transaction: Transaction): Promise<void> {
    const { chain, mempool, settings } = this.#deps;
    const { state } = this.#building?.view ?? chain.latest;
    return admit(transaction, state, mempool, {
      blockGasLimit: settings.every.gasLimit,
      minGasPrice: settings.minGasPrice,
    });
  }

  /** Mixed mode pre-confirms and seals at once; automine makes a block of one transaction. */
  async #mineOne(): Promise<Filled> {
    if (!this.#building) return this.#onDemand.mine(1, true);
    const filled = await this.#building.extend({ most: 1 });
    if (filled.transactions.length > 0) {
      await this.#building.seal();
      this.#armTick();
    }
    return filled;
  }

  async #applyNext(next: NextBlock): Promise<void> {
    const { chain, settings } = this.#deps;
    const parent = this.#building && !this.#building.isEmpty ? this.#building.view : chain.latest;
    settings.setNext(next, parent.header);
    await this.#restartIfEmpty();
  }

  async #restartIfEmpty(): Promise<void> {
    if (!this.#building?.isEmpty) return;
    await this.#building.restart(this.#deps.chain.latest);
  }

  #arm(due: number, task: () => Promise<void>): void {
    this.#timer?.[Symbol.dispose]();
    if (!this.#running) return;
    const { clock, onFatal } = this.#deps;
    this.#timer = clock.after(Math.max(0, due - clock.now()), () => this.#exclusive(task).catch(onFatal));
  }

  #armTick(): void {
    const building = this.#building!;
    this.#arm(building.due, async () => {
      // A block begun in the meantime has a timer of its own.
      if (this.#building === building) await this.#tick(building);
    });
  }

  async #tick(building: Preconfirming): Promise<void> {
    const { clock, wall } = this.#deps;
    const begun = wall.now();
    const slot = building.takeSlot();
    await building.extend();
    const interval = preconfirms(this.#mode) ? this.#mode.flashblockInterval : 0;
    this.metrics.count({
      drift: clock.now() - slot.due,
      length: wall.now() - begun,
      merged: slot.merged,
      interval,
    });
    if (slot.last) await building.seal(building.nextStart());
    this.#armTick();
  }

  /** An interval without partial blocks: a block of what waits, every block time. */
  #armOnDemand(due?: number): void {
    const mode = this.#mode;
    if (!('blockTime' in mode)) return;
    const at = due ?? this.#deps.clock.now() + mode.blockTime;
    this.#arm(at, async () => {
      if (this.#mode !== mode) return;
      await this.#onDemand.mine(ALL);
      const missed = Math.floor((this.#deps.clock.now() - at) / mode.blockTime);
      this.#armOnDemand(at + (missed + 1) * mode.blockTime);
    });
  }
}
