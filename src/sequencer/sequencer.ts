import type { Transaction } from '../chain/block.ts';
import { blobBaseFee, nextBaseFee, nextExcessBlobGas } from '../chain/fees.ts';
import type { TrieBlock } from '../chain/open-block.ts';
import { DevnetError } from '../errors.ts';
import type { StateWrites } from '../state/view.ts';
import { Faults } from './faults.ts';
import type { Flashblock } from './feed.ts';
import type { Filled } from './fill.ts';
import { type MiningMode, preconfirms, sealsEachSend } from './mode.ts';
import { OnDemand } from './on-demand.ts';
import { Preconfirming } from './preconfirming.ts';
import { Production, type ProductionDeps, type ProductionOptions } from './production.ts';
import { reorg } from './reorg.ts';
import type { BlockSettings, NextBlock } from './settings.ts';
import { TickMetrics } from './tick-metrics.ts';
import { withdraw } from './withdraw.ts';

export interface SequencerOptions extends ProductionOptions {
  readonly mode: MiningMode;
  /** wei per gas */
  readonly minGasPrice: bigint;
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
  readonly faults = new Faults();
  readonly #minGasPrice: bigint;
  readonly #deps: SequencerDeps;
  readonly #production: Production;
  readonly #onDemand: OnDemand;
  #mode: MiningMode;
  #building: Preconfirming | undefined;
  #timer: Disposable | undefined;
  /** when the next block without partial blocks is due, milliseconds on the clock */
  #due: number | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #running = false;

  constructor(options: SequencerOptions, deps: SequencerDeps) {
    this.#minGasPrice = options.minGasPrice;
    this.#mode = options.mode;
    this.#deps = deps;
    this.#production = new Production(options, deps);
    this.#onDemand = new OnDemand(this.#production);
    deps.chain.buildPendingWith(() => this.#onDemand.pending());
  }

  /** Fees of the block that comes next, in wei per gas and per blob gas. */
  nextFees(): { baseFee: bigint | undefined; blobBaseFee: bigint | undefined } {
    const { chain, engine, settings, clock } = this.#deps;
    const header = this.#building?.view.header;
    if (header) {
      const fork = engine.schedule.at(header.number, header.timestamp);
      return { baseFee: header.baseFeePerGas, blobBaseFee: blobBaseFee(header.excessBlobGas, fork) };
    }
    const parent = chain.latest.header;
    const plan = settings.plan(parent, clock.now());
    const fork = engine.schedule.at(parent.number + 1n, plan.timestamp);
    return {
      baseFee: plan.baseFeePerGas ?? nextBaseFee(parent, fork),
      blobBaseFee: blobBaseFee(nextExcessBlobGas(parent, fork), fork),
    };
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
    return this.#building?.end ?? this.#due;
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
    if (this.faults.refuses(transaction.from))
      throw new DevnetError('transactionRejected', { reason: 'the sender is refused (devnet_refuseSender)' });
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
      if (!this.#building) {
        await this.#onDemand.mine(ALL);
        this.#armOnDemand();
        return this.#deps.chain.latest;
      }
      await this.#building.extend();
      const sealed = await this.#building.seal();
      this.#armTick();
      return sealed;
    });
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
      this.#deps.settings.change(settings);
      await this.#restartIfEmpty();
    });
  }

  /** A dev write: shows at `latest` and `pending` at once, and is in the next block's root. */
  patch(write: (head: TrieBlock) => Promise<StateWrites> | StateWrites): Promise<void> {
    return this.#exclusive(async () => {
      const { chain } = this.#deps;
      const writes = await write(chain.latest);
      const head = await chain.patchHead(writes);
      if (this.#building) await this.#building.patch(head, writes);
      else chain.moveTo(head, undefined);
    });
  }

  /** Takes a pre-confirmed transaction out of the open block, see {@link withdraw}. */
  withdraw(hash: Uint8Array, replacement?: (withdrawn: Transaction) => Transaction): Promise<void> {
    return this.#exclusive(() =>
      withdraw(this.#building, { hash, replacement }, { production: this.#production, admit: this.#admit }),
    );
  }

  /** Replaces the newest sealed blocks, see {@link reorg}; the open block is begun anew on the new ones. */
  reorg(depth: number, reinclude: boolean): Promise<void> {
    return this.#exclusive(async () => {
      const building = this.#building;
      this.#building = undefined;
      try {
        const preconfirmed = building?.view.transactions ?? [];
        const deps = { production: this.#production, admit: this.#admit };
        await reorg({ depth, reinclude, preconfirmed }, deps);
        await building?.restart(this.#deps.chain.latest);
      } finally {
        this.#building = building;
      }
    });
  }

  /** Nothing is published for so many milliseconds; then what fell due, late. */
  hold(ms: number): Promise<void> {
    return this.#exclusive(async () => {
      const { clock } = this.#deps;
      if (this.#building) this.#armTick(clock.now() + ms);
      else if (this.#due !== undefined) this.#armOnDemand(this.#due, clock.now() + ms);
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
    this.#due = undefined;
    if (preconfirms(mode)) {
      this.#building = await Preconfirming.begin(mode, this.#production, chain.latest, clock.now());
      this.#armTick();
    } else {
      chain.showPending(undefined);
      this.#armOnDemand();
    }
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

  readonly #admit = async (transaction: Transaction): Promise<void> => {
    const { chain, mempool, settings } = this.#deps;
    const { state } = this.#building?.view ?? chain.latest;
    // Awaited only where it is a promise: otherwise there is no gap in which the view could become old.
    const held = state.getCode(transaction.from);
    const code = held instanceof Promise ? await held : held;
    const found = state.getAccount(transaction.from);
    const account = found instanceof Promise ? await found : found;
    mempool.add(
      transaction,
      { nonce: account?.nonce ?? 0n, balance: account?.balance ?? 0n, code },
      { blockGasLimit: settings.every.gasLimit, minGasPrice: this.#minGasPrice },
    );
  };

  /** Mixed mode pre-confirms and seals at once; automine makes a block of one transaction. */
  async #mineOne(): Promise<Filled> {
    if (!this.#building) return this.#onDemand.mine(1, true);
    const filled = await this.#building.extend(1);
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

  #armTick(due = this.#building!.due): void {
    const building = this.#building!;
    this.#arm(due, async () => {
      // A block begun in the meantime has a timer of its own.
      if (this.#building === building) await this.#tick(building);
    });
  }

  async #tick(building: Preconfirming): Promise<void> {
    const { clock, wall } = this.#deps;
    const begun = wall.now();
    const slot = building.takeSlot();
    const skipped = this.faults.takeSkip();
    if (!skipped) await building.extend();
    const interval = preconfirms(this.#mode) ? this.#mode.flashblockInterval : 0;
    this.metrics.count({
      drift: clock.now() - slot.due,
      length: wall.now() - begun,
      merged: slot.merged,
      interval,
    });
    const delay = slot.last ? this.faults.takeSealDelay() : 0;
    if (delay > 0) return this.#armSeal(building, clock.now() + delay);
    if (slot.last) await building.seal(building.nextStart());
    this.#armTick();
  }

  /** The block is whole, but sealed late. */
  #armSeal(building: Preconfirming, due: number): void {
    const { payload } = this.#production;
    this.#arm(due, async () => {
      // Whoever sealed it in the meantime has set a timer for the next one.
      if (this.#building !== building || this.#production.payload !== payload) return;
      await building.seal(building.nextStart());
      this.#armTick();
    });
  }

  /** An interval without partial blocks: a block of what waits, every block time. */
  #armOnDemand(due?: number, late = due): void {
    const mode = this.#mode;
    this.#due = undefined;
    if (!('blockTime' in mode)) return;
    const at = due ?? this.#deps.clock.now() + mode.blockTime;
    this.#due = at;
    this.#arm(late ?? at, async () => {
      if (this.#mode !== mode) return;
      await this.#onDemand.mine(ALL);
      const missed = Math.floor((this.#deps.clock.now() - at) / mode.blockTime);
      this.#armOnDemand(at + (missed + 1) * mode.blockTime);
    });
  }
}
