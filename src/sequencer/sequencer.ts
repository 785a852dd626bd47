import type { Transaction } from '../chain/block.ts';
import type { TrieBlock } from '../chain/open-block.ts';
import { asRejected, DevnetError } from '../errors.ts';
import { DEPOSIT_TYPE } from '../evm/deposit-transaction.ts';
import type { AdmissionRules } from '../mempool/admission.ts';
import { admit, refuseKnown } from './admit.ts';
import { Builder } from './builder.ts';
import { Faults } from './faults.ts';
import type { Flashblock } from './feed.ts';
import type { Cause, Inputs } from './inputs.ts';
import { type MiningMode, preconfirms, sealsEachSend } from './mode.ts';
import type { NextFees } from './next-fees.ts';
import { Production, type ProductionDeps, type ProductionOptions } from './production.ts';
import type { BlockSettings, NextBlock } from './settings.ts';
import { TaskQueue } from './task-queue.ts';
import { TickMetrics } from './tick-metrics.ts';
import type { PatchHead, Turn } from './turn.ts';
import { type Rewriting, readmit, withdraw } from './withdraw.ts';

export interface SequencerOptions extends ProductionOptions {
  readonly mode: MiningMode;
  /** wei per gas */
  readonly minGasPrice: bigint;
  /** Where each send is sealed at once, one whose nonce leaves a gap is refused, as Hardhat does; by default it waits. */
  readonly refusesGaps?: boolean;
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
  readonly #refusesGaps: boolean;
  readonly #deps: SequencerDeps;
  readonly #production: Production;
  readonly #builder: Builder;
  readonly #queue = new TaskQueue();
  readonly #nextFork = () => this.nextFees().fork;
  #running = false;

  constructor(options: SequencerOptions, deps: SequencerDeps) {
    this.#minGasPrice = options.minGasPrice;
    this.#refusesGaps = options.refusesGaps ?? false;
    this.#deps = deps;
    this.#production = new Production(options, deps);
    this.#builder = new Builder(options.mode, {
      production: this.#production,
      faults: this.faults,
      metrics: this.metrics,
      run: (task) => this.#exclusive(task, 'tick').catch((error) => this.fail(error)),
      onTick: () => deps.inputs?.ticked(),
    });
  }

  nextFees(): NextFees {
    return this.#builder.nextFees();
  }

  get mode(): MiningMode {
    return this.#builder.mode;
  }

  /** What was published of the block that is open, by index; nothing where transactions aren't pre-confirmed. */
  get published(): readonly Flashblock[] {
    return this.#builder.open?.published ?? [];
  }

  /** When the next block is sealed of itself, milliseconds on the clock. */
  get sealDue(): number | undefined {
    return this.#builder.sealDue;
  }

  /** Opens the first block, or waits for transactions, as the mode has it. */
  start(): Promise<void> {
    this.#running = true;
    return this.#exclusive(() => this.#builder.begin(), 'start');
  }

  /** Seals the open block if it has transactions, else drops it; then nothing moves. */
  stop(): Promise<void> {
    const { inputs } = this.#deps;
    return this.#queue.run(async () => {
      if (!this.#running) return;
      inputs?.began('stop');
      this.#running = false;
      try {
        await this.#builder.leave();
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
    const added = () => this.#deps.inputs?.admitted(transaction);
    if (!sealsEachSend(this.mode)) {
      this.#assertRunning();
      return this.#admit(transaction, { added });
    }
    await this.#exclusive(async () => {
      const atOnce = { blockFees: this.nextFees(), refusesGaps: this.#refusesGaps };
      await this.#admit(transaction, { rules: atOnce, added });
      for (;;) {
        const filled = await this.#builder.sealOne();
        const refused = filled.dropped.find((drop) => drop.transaction === transaction);
        if (refused) throw asRejected(refused.error);
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
    return this.#exclusive(() => this.#builder.seal(timestamp));
  }

  /** Resolves when what changes the chain now has ended. */
  settled(): Promise<void> {
    return this.#queue.run(async () => {});
  }

  /** Runs `task` while nothing else changes the chain. It must not call back into the sequencer but by its `turn`. */
  inTurn<T>(task: (turn: Turn) => Promise<T>): Promise<T> {
    const builder = this.#builder;
    return this.#exclusive(() =>
      task({
        open: builder.open?.record(),
        continueFrom: async (head, options) =>
          readmit(await builder.continueFrom(head, options), this.#rewriting),
        rewriting: this.#rewriting,
        setAside: (task) => builder.setAside(task),
        mine: (timestamp) => builder.seal(timestamp),
        mineEmpty: (most, interval) => builder.mineEmpty(most, interval),
        patch: (write) => this.#patch(write),
        setNext: (next) => builder.setNext(next),
        catchUp: () => builder.catchUp(),
        settingsChanged: () => builder.settingsChanged(),
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
    if (preconfirms(this.mode)) throw new Error('a block is open: none can be put under it');
    return this.#exclusive(task);
  }

  /** Switches the mode. Pre-confirmed transactions of the open block are sealed first. */
  setMode(mode: MiningMode): Promise<void> {
    return this.#exclusive(async () => {
      await this.#builder.leave();
      await this.#builder.begin(mode);
    });
  }

  /** Settings of the next block, see {@link Builder.setNext}. */
  setNext(next: NextBlock): Promise<void> {
    return this.#exclusive(() => this.#builder.setNext(next));
  }

  /** Settings from the next block on, see {@link setNext}. */
  configure(settings: Partial<BlockSettings>): Promise<void> {
    return this.#exclusive(async () => {
      this.#deps.settings.change(settings);
      await this.#builder.settingsChanged();
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
    return this.#exclusive(() => withdraw(this.#builder.open, { hash, replacement }, this.#rewriting));
  }

  /** Nothing is published for so many milliseconds; then what fell due, late. */
  hold(ms: number): Promise<void> {
    return this.#exclusive(async () => this.#builder.hold(ms));
  }

  /** A block can't be made, or what changes the chain not stored: nothing is written any more, reads go on. */
  fail(error: unknown): void {
    // A timer that fired while the chain was being stopped.
    if (!this.#running) return;
    this.#running = false;
    this.#deps.onFatal(error);
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

  async #patch(write: PatchHead): Promise<void> {
    const { chain } = this.#deps;
    const { open } = this.#builder;
    const writes = await write(chain.latest);
    const later = open && (await write(open.body));
    const head = await chain.patchHead(writes);
    if (open && later) await open.patch(head, later);
    else chain.moveTo(head, undefined);
    this.#production.renewNonces(later ?? writes);
  }

  get #rewriting(): Rewriting {
    return {
      production: this.#production,
      admit: (transaction: Transaction) => this.#admit(transaction),
    };
  }

  #admit(
    transaction: Transaction,
    { rules, added }: { rules?: Pick<AdmissionRules, 'blockFees' | 'refusesGaps'>; added?: () => void } = {},
  ): Promise<void> {
    const { chain, mempool, settings } = this.#deps;
    const newest = () => chain.newest;
    if (transaction.tx.type === DEPOSIT_TYPE) refuseKnown(transaction, chain);
    const all = {
      blockGasLimit: settings.every.gasLimit,
      minGasPrice: this.#minGasPrice,
      fork: this.#nextFork,
      ...rules,
    };
    return admit(transaction, newest, () => chain.latest, all, mempool, added);
  }
}
