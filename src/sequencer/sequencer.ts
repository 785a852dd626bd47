import type { Transaction } from '../chain/block.ts';
import type { TrieBlock } from '../chain/open-block.ts';
import { DevnetError } from '../errors.ts';
import { admit } from './admit.ts';
import { Faults } from './faults.ts';
import type { Flashblock } from './feed.ts';
import type { Cause, Inputs } from './inputs.ts';
import { type MiningMode, preconfirms, sealsEachSend } from './mode.ts';
import { feesOfOpen, feesOfPlan, type NextFees } from './next-fees.ts';
import { OnDemand } from './on-demand.ts';
import { Pace } from './pace.ts';
import { type OpenRecord, Preconfirming } from './preconfirming.ts';
import { Production, type ProductionDeps, type ProductionOptions } from './production.ts';
import { reorg } from './reorg.ts';
import type { BlockSettings, NextBlock } from './settings.ts';
import { TaskQueue } from './task-queue.ts';
import { TickMetrics } from './tick-metrics.ts';
import type { MineOptions, PatchHead, Turn } from './turn.ts';
import { readmit, withdraw } from './withdraw.ts';

export interface SequencerOptions extends ProductionOptions {
  readonly mode: MiningMode;
  /** wei per gas */
  readonly minGasPrice: bigint;
}

export interface SequencerDeps extends ProductionDeps {
  /** A block can't be made or stored: the chain can't go on. */
  readonly onFatal: (error: unknown) => void;
  /** told of what changes the chain */
  readonly inputs?: Inputs;
}

/**
 * The only writer. All that changes the chain goes through one queue, so ticks never overlap and dev writes fall
 * between them.
 */
export class Sequencer {
  readonly metrics = new TickMetrics();
  /** Sends whose nonce the node chooses: one after the other, so that no two get the same. */
  readonly sends = new TaskQueue();
  readonly faults = new Faults();
  #minGasPrice: bigint;
  readonly #deps: SequencerDeps;
  readonly #production: Production;
  readonly #onDemand: OnDemand;
  readonly #queue = new TaskQueue();
  #mode: MiningMode;
  #building: Preconfirming | undefined;
  readonly #pace: Pace;
  #running = false;

  constructor(options: SequencerOptions, deps: SequencerDeps) {
    this.#minGasPrice = options.minGasPrice;
    this.#mode = options.mode;
    this.#deps = deps;
    this.#production = new Production(options, deps);
    this.#onDemand = new OnDemand(this.#production);
    this.#pace = new Pace({
      clock: deps.clock,
      wall: deps.wall,
      faults: this.faults,
      metrics: this.metrics,
      production: this.#production,
      onDemand: this.#onDemand,
      mode: () => this.#mode,
      building: () => this.#building,
      run: (task) => this.#exclusive(task, 'tick').catch((error) => this.#fail(error)),
      onTick: () => deps.inputs?.ticked(),
    });
    deps.chain.buildPendingWith(() => this.#onDemand.pending());
  }

  /** Fees of the block that comes next, in wei per gas and per blob gas, and its rules. */
  nextFees(): NextFees {
    const { chain, engine, settings, clock } = this.#deps;
    if (this.#building) return feesOfOpen(this.#building.view.header, engine.schedule);
    const parent = chain.latest.header;
    return feesOfPlan(parent, settings.plan(parent, clock.now()), engine.schedule);
  }

  get mode(): MiningMode {
    return this.#mode;
  }

  /** What was published of the block that is open, by index; nothing where transactions aren't pre-confirmed. */
  get published(): readonly Flashblock[] {
    return this.#building?.published ?? [];
  }

  /** When the next block is sealed of itself, milliseconds on the clock. */
  get sealDue(): number | undefined {
    return this.#pace.sealDue;
  }

  /** Opens the first block, or waits for transactions, as the mode has it. */
  start(): Promise<void> {
    this.#running = true;
    return this.#exclusive(() => this.#begin(), 'start');
  }

  /** Seals the open block if it has transactions, else drops it; then nothing moves. */
  stop(): Promise<void> {
    const { inputs } = this.#deps;
    return this.#queue.run(async () => {
      if (!this.#running) return;
      inputs?.began('stop');
      this.#running = false;
      try {
        await this.#leaveOpenBlock();
      } finally {
        inputs?.ended();
      }
    });
  }

  /**
   * Takes a transaction. In automine and mixed mode the block that holds it is sealed before this returns.
   * @throws DevnetError -32003 when it is not admitted
   */
  async submit(transaction: Transaction): Promise<void> {
    if (this.faults.refuses(transaction.from))
      throw new DevnetError('transactionRejected', { reason: 'the sender is refused (devnet_refuseSender)' });
    if (!sealsEachSend(this.#mode)) {
      this.#assertRunning();
      return this.#admit(transaction, () => this.#deps.inputs?.admitted(transaction));
    }
    await this.#exclusive(async () => {
      await this.#admit(transaction, () => this.#deps.inputs?.admitted(transaction));
      for (;;) {
        const filled = await this.#mineOne();
        const refused = filled.dropped.find((drop) => drop.transaction === transaction);
        if (refused) throw refused.error;
        if (filled.transactions.length === 0) return;
      }
    }, 'send');
  }

  /**
   * Takes a transaction out of those that wait. Between two ticks, so that what is being executed isn't taken away.
   * @returns false when it doesn't wait: unknown, pre-confirmed or sealed
   */
  drop(hash: Uint8Array): Promise<boolean> {
    return this.#exclusive(async () => this.#deps.mempool.remove(hash));
  }

  /**
   * Seals a block now, with what waits.
   * @param timestamp seconds. That of an open block with transactions is fixed: it is sealed first, as it stands
   */
  mine(timestamp?: bigint): Promise<TrieBlock> {
    return this.#exclusive(() => this.#mine({ timestamp }));
  }

  /** Runs `task` while nothing else changes the chain. It must not call back into the sequencer but by its `turn`. */
  inTurn<T>(task: (turn: Turn) => Promise<T>): Promise<T> {
    return this.#exclusive(() =>
      task({
        open: this.#building?.record(),
        continueFrom: (head, options) => this.#continueFrom(head, options),
        mine: (options = {}) => this.#mine(options),
        patch: (write) => this.#patch(write),
        mineEmpty: async (most, interval) => {
          const made = await this.#onDemand.mineEmpty(most, interval);
          this.#pace.blocks();
          return made;
        },
        setNext: (next) => this.#applyNext(next),
        settingsChanged: async () => this.#building?.restartIfEmpty(this.#deps.chain.latest),
      }),
    );
  }

  /** Least fee cap that is admitted from now on, in wei per gas. */
  setMinGasPrice(wei: bigint): void {
    this.#minGasPrice = wei;
  }

  /** What every block gets, unless set for one. */
  get blockSettings(): BlockSettings {
    return this.#deps.settings.every;
  }

  /** Runs what else changes the chain, alone. Not in a mode that keeps a block open. */
  alone<T>(task: () => Promise<T>): Promise<T> {
    if (preconfirms(this.#mode)) throw new Error('a block is open: none can be put under it');
    return this.#exclusive(task);
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

  /** Settings from the next block on, see {@link setNext}. */
  configure(settings: Partial<BlockSettings>): Promise<void> {
    return this.#exclusive(async () => {
      const { chain } = this.#deps;
      this.#deps.settings.change(settings);
      await this.#building?.restartIfEmpty(chain.latest);
    });
  }

  /**
   * A dev write: shows at `latest` and `pending` at once, and is in the next block's root.
   * @param write makes the writes from the state that they change: the head's, then that of the open block, where
   *   transactions may have changed other fields of the same accounts
   */
  patch(write: PatchHead): Promise<void> {
    return this.#exclusive(() => this.#patch(write));
  }

  /** Takes a pre-confirmed transaction out of the open block, see {@link withdraw}. */
  withdraw(hash: Uint8Array, replacement?: (withdrawn: Transaction) => Transaction): Promise<void> {
    return this.#exclusive(() => withdraw(this.#building, { hash, replacement }, this.#rewriting));
  }

  /** Replaces the newest sealed blocks, see {@link reorg}; the open block is begun anew on the new ones. */
  reorg(depth: number, reinclude: boolean): Promise<void> {
    return this.#exclusive(async () => {
      const building = this.#building;
      this.#building = undefined;
      try {
        const preconfirmed = building?.view.transactions ?? [];
        await reorg({ depth, reinclude, preconfirmed }, this.#rewriting);
        await building?.restart(this.#deps.chain.latest);
      } finally {
        this.#building = building;
      }
    });
  }

  /** Nothing is published for so many milliseconds; then what fell due, late. */
  hold(ms: number): Promise<void> {
    return this.#exclusive(async () => this.#pace.hold(ms));
  }

  /** Runs `task` as the only writer. @throws DevnetError when the chain has stopped */
  #exclusive<T>(task: () => Promise<T>, cause: Cause = this.#deps.inputs?.cause()): Promise<T> {
    const { inputs } = this.#deps;
    return this.#queue.run(async () => {
      this.#assertRunning();
      inputs?.began(cause);
      try {
        return await task();
      } finally {
        inputs?.ended();
      }
    });
  }

  #assertRunning(): void {
    if (!this.#running) throw new DevnetError('server', { reason: 'the chain has stopped' });
  }

  /** A block can't be made or stored: nothing is written any more, reads go on. */
  #fail(error: unknown): void {
    // A timer that fired while the chain was being stopped.
    if (!this.#running) return;
    this.#running = false;
    this.#deps.onFatal(error);
  }

  async #begin(): Promise<void> {
    const { chain, clock } = this.#deps;
    const mode = this.#mode;
    if (preconfirms(mode)) {
      this.#building = await Preconfirming.begin(mode, this.#production, chain.latest, clock.now());
      this.#pace.tick();
    } else {
      chain.showPending(undefined);
      this.#pace.blocks();
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
      this.#pace.tick();
    } else {
      chain.moveTo(head, undefined);
      told?.();
      this.#pace.blocks();
    }
    await readmit(left, this.#rewriting);
  }

  async #patch(write: PatchHead): Promise<void> {
    const { chain } = this.#deps;
    const building = this.#building;
    const writes = await write(chain.latest);
    const later = building && (await write(building.body));
    const head = await chain.patchHead(writes);
    if (building && later) await building.patch(head, later);
    else chain.moveTo(head, undefined);
    this.#production.renewNonces(later ?? writes);
  }

  async #mine({ timestamp, list }: MineOptions): Promise<TrieBlock> {
    const building = this.#building;
    if (timestamp !== undefined) {
      const fixed = building && !building.isEmpty;
      await this.#applyNext({ timestamp });
      if (fixed) await building.seal();
    }
    return this.#seal(list);
  }

  /** Seals a block now with what waits, or with `list`. */
  async #seal(list?: readonly Transaction[]): Promise<TrieBlock> {
    const building = this.#building;
    if (!building) {
      await this.#onDemand.mine(list ? { list } : {});
      this.#pace.blocks();
      return this.#deps.chain.latest;
    }
    await building.extend({ wholeBlock: true, list });
    const sealed = await building.seal();
    this.#pace.tick();
    return sealed;
  }

  async #leaveOpenBlock(): Promise<void> {
    this.#pace.stop();
    const building = this.#building;
    if (!building) return;
    const { chain, feed } = this.#deps;
    const sealed = building.isEmpty ? undefined : await building.store();
    this.#building = undefined;
    chain.moveTo(sealed ?? chain.latest, undefined);
    if (sealed) feed.emit('sealed', sealed);
  }

  get #rewriting() {
    return {
      production: this.#production,
      admit: (transaction: Transaction) => this.#admit(transaction),
    };
  }

  #admit(transaction: Transaction, added?: () => void): Promise<void> {
    const { chain, mempool, settings } = this.#deps;
    const newest = () => this.#building?.view ?? chain.latest;
    const rules = { blockGasLimit: settings.every.gasLimit, minGasPrice: this.#minGasPrice };
    return admit(transaction, newest, rules, mempool, added);
  }

  /** Mixed mode pre-confirms and seals at once; automine makes a block of one transaction. */
  async #mineOne() {
    const one = { most: 1, orNothing: true };
    if (!this.#building) return this.#onDemand.mine(one);
    const filled = await this.#building.extend(one);
    if (filled.transactions.length > 0) {
      await this.#building.seal();
      this.#pace.tick();
    }
    return filled;
  }

  async #applyNext(next: NextBlock): Promise<void> {
    const { chain, settings } = this.#deps;
    const parent = this.#building && !this.#building.isEmpty ? this.#building.view : chain.latest;
    settings.setNext(next, parent.header);
    await this.#building?.restartIfEmpty(chain.latest);
  }
}
