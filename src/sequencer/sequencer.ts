import { setImmediate } from 'node:timers/promises';
import { bytesToHex } from '@ethereumjs/util';
import type { Transaction, TrieBlock } from '../chain/block.ts';
import { asRejected, DevnetError } from '../errors.ts';
import type { AdmissionRules } from '../mempool/admission.ts';
import { DEPOSIT_TYPE } from '../protocol/op-stack/deposit-transaction.ts';
import { type Awaitable, andThen } from '../state/view.ts';
import { TaskQueue } from '../task-queue.ts';
import { admit, refuseKnown } from './admission.ts';
import { type CurrentTask, isOutsideFailure } from './current-task.ts';
import { Faults } from './feed/faults.ts';
import type { Flashblock } from './feed/feed.ts';
import { TickMetrics } from './feed/metrics.ts';
import type { CallInput, Cause, Inputs } from './inputs.ts';
import { FlashblockProducer } from './mining/flashblock-producer.ts';
import { InstantProducer } from './mining/instant-producer.ts';
import { type MiningMode, preconfirms, sealsEachSend } from './mining/mode.ts';
import type { OpenRecord, PatchHead, Producer, ProducerDeps } from './mining/producer.ts';
import type { NextFees } from './next-fees.ts';
import { allOrNothing } from './rewrite/all-or-nothing.ts';
import type { BlockSettings, NextSettings } from './settings.ts';
import type { Turn } from './turn.ts';

export interface SequencerOptions {
  readonly mode: MiningMode;
  /** wei per gas */
  readonly minGasPrice: bigint;
  /** In modes that seal each send: rejects transactions with a nonce gap, as Hardhat does. By default they wait. */
  readonly refusesGaps?: boolean;
}

/** The state from which another sequencer continues, besides mempool and settings. */
export interface SequencerRecord {
  readonly mode: MiningMode;
  /** wei per gas */
  readonly minGasPrice: bigint;
  readonly open: OpenRecord;
}

/** Can block changes of the chain for some time. */
export interface Gate {
  /** The reason why the chain can't be changed now; `undefined` if it can. */
  haltReason(): DevnetError | undefined;
  /** Resolves when the chain can be changed again. */
  resumed(): Promise<void>;
}

/** The dependencies of the block producers, and those of the sequencer alone. */
export interface SequencerDeps extends Omit<ProducerDeps, 'faults' | 'metrics' | 'run' | 'onTick'> {
  /** receives everything that changes the chain */
  readonly inputs?: Inputs;
  readonly current: CurrentTask;
  readonly gate?: Gate | undefined;
  /** Aborted when a block can't be made or stored, or an input can't be recorded: the chain can't continue. */
  readonly end: AbortController;
  /** called when `end` is aborted, unless the chain was stopped before */
  readonly onFatal: (error: unknown) => void;
  /** called with the reason when a block is delayed because the forked node doesn't answer */
  readonly onDelayed?: ((error: DevnetError) => void) | undefined;
}

/** The chain's only writer. All writes go through one queue: ticks never overlap, and dev writes run between them. */
export class Sequencer {
  readonly metrics = new TickMetrics();
  /** Queue of the sends whose nonce the node chooses: one at a time, so that no two get the same nonce. */
  readonly sends = new TaskQueue();
  readonly faults = new Faults();
  #minGasPrice: bigint;
  readonly #refusesGaps: boolean;
  readonly #deps: SequencerDeps;
  readonly #queue = new TaskQueue();
  readonly #nextHardfork = () => this.nextFees().hardfork;
  #producer: Producer;
  #running = false;
  /** the error of the last tick, if its block is delayed, see {@link Sequencer.#tryLater} */
  #delayed: unknown;

  constructor(options: SequencerOptions, deps: SequencerDeps) {
    this.#minGasPrice = options.minGasPrice;
    this.#refusesGaps = options.refusesGaps ?? false;
    this.#deps = deps;
    this.#producer = this.#producerFor(options.mode);
    deps.end.signal.addEventListener('abort', () => this.#onEnd());
    deps.current.onOutsideFailure((points) => deps.inputs?.refused(points));
    deps.current.onLeftOut((hash) => deps.inputs?.leftOut(hash));
    deps.chain.buildPendingWith(() => this.#producer.pendingNow());
  }

  /** Whether no task runs or waits, and no nonce is being chosen for a send. */
  get isIdle(): boolean {
    return this.#queue.isIdle && this.sends.isIdle;
  }

  nextFees(): NextFees {
    return this.#producer.nextFees();
  }

  /** Base fee that was set for the block after the open one, wei per gas; `undefined` if none was set or no block is open. */
  get baseFeeAfterOpen(): bigint | undefined {
    return this.preconfirms ? this.#deps.settings.next.baseFeePerGas : undefined;
  }

  get mode(): MiningMode {
    return this.#producer.mode;
  }

  /** Whether a block is open that grows by one flashblock per interval. */
  get preconfirms(): boolean {
    return this.#running && preconfirms(this.mode) && this.#producer.sealDue !== undefined;
  }

  /** The open block's published flashblocks, by index; empty in modes without pre-confirmation. */
  get published(): readonly Flashblock[] {
    return this.#producer.preconfirmed?.published ?? [];
  }

  /** When the timer seals the next block, milliseconds on the clock; `undefined` in modes without an interval. */
  get sealDue(): number | undefined {
    return this.#producer.sealDue;
  }

  /** Settings of all blocks to come. */
  get blockSettings(): BlockSettings {
    return this.#deps.settings.every;
  }

  /** How far dev methods and explicitly set timestamps have moved chain time since the start, in whole seconds. */
  get timeMoved(): number {
    return this.#deps.settings.time.moved;
  }

  /** Sets the lowest fee cap that the mempool admits, in wei per gas. */
  setMinGasPrice(wei: bigint): void {
    this.#minGasPrice = wei;
  }

  /** Opens the first block, or waits for transactions, depending on the mode. */
  async start(): Promise<void> {
    this.#deps.end.signal.throwIfAborted();
    await this.#deps.gate?.resumed();
    this.#running = true;
    await this.#exclusive('start', async () => {
      await this.#producer.start(this.#deps.chain.latest);
    });
  }

  /** The record for {@link startAs}; `undefined` while the open block has transactions, or a simulated failure is still pending. */
  get record(): SequencerRecord | undefined {
    const { mode, resting: open } = this.#producer;
    return open && !this.faults.areWaiting ? { mode, minGasPrice: this.#minGasPrice, open } : undefined;
  }

  /** Starts from another sequencer's record. @param restore restores mempool and settings */
  async startAs({ mode, minGasPrice, open }: SequencerRecord, restore: () => void): Promise<void> {
    await this.#deps.gate?.resumed();
    this.#running = true;
    await this.#exclusive('start', async () => {
      this.#minGasPrice = minGasPrice;
      this.#producer = this.#producerFor(mode);
      restore();
      await this.#producer.start(this.#deps.chain.latest, open);
    });
  }

  /** Seals the open block if it has transactions, else discards it. Afterwards the chain doesn't change any more. */
  stop(): Promise<void> {
    return this.#queue.run(async () => {
      if (!this.#running) return;
      this.#running = false;
      await this.#asTask('stop', () => this.#producer.stop());
    });
  }

  /**
   * Adds a transaction to the mempool. In automine and mixed mode its block is sealed before this returns or resolves: mostly
   * synchronously, if no other task runs or waits.
   * @throws DevnetError -32003 when not admitted, or rejects with it
   */
  submit(transaction: Transaction, cause: Cause = 'send'): Awaitable<void> {
    if (this.faults.refuses(transaction))
      throw new DevnetError('transactionRejected', { reason: 'the sender is refused (devnet_refuseSender)' });
    const { current, inputs } = this.#deps;
    const call = callOf(cause);
    const added = () => {
      inputs?.admitted(transaction);
      if (call) current.changed(call);
    };
    if (!sealsEachSend(this.mode)) {
      this.#assertRunning();
      return this.#admit(transaction, { added, isWanted: () => current.assertWanted(call) });
    }
    return this.#queue.runSoon(() => {
      this.#assertRunning();
      return this.#asTask(
        'send',
        () => {
          // The engine makes all checks of admission except the minimum gas price and the conditions.
          const isSealed =
            this.#minGasPrice === 0n &&
            !transaction.conditions &&
            this.#producer.sealSent(transaction, added);
          const sealing = () => this.#admitAndSeal(transaction, added);
          return andThen(isSealed, (done) =>
            done ? undefined : allOrNothing(this.#turn, this.#deps, sealing),
          );
        },
        { call },
      );
    });
  }

  async #admitAndSeal(transaction: Transaction, added: () => void): Promise<void> {
    const blockFees = this.nextFees();
    const hardfork = () => blockFees.hardfork;
    const rules = { blockFees, hardfork, refusesGaps: this.#refusesGaps };
    await this.#admit(transaction, { rules, added });
    await this.#sealWaiting(transaction);
  }

  /**
   * Seals blocks with the pending transactions, until the next block would be empty.
   * @throws DevnetError -32003 when `sent` can't be included in any block
   */
  async #sealWaiting(sent?: Transaction): Promise<void> {
    for (;;) {
      const { transactions, dropped } = await this.#producer.sealWaiting();
      const refused = dropped.find(({ transaction }) => transaction === sent);
      if (refused) throw asRejected(refused.error);
      if (transactions.length === 0 || this.#deps.mempool.size === 0) return;
      // Lets transactions arrive that may be in the next block.
      await setImmediate();
    }
  }

  /** Resolves when the tasks that are in the queue now have ended. */
  settled(): Promise<void> {
    return this.#queue.run(async () => {});
  }

  /** Runs `task` while nothing else changes the chain. It must not call back into the sequencer. */
  inTurn<T>(cause: Cause, task: (turn: Turn) => Promise<T>): Promise<T> {
    return this.#exclusive(cause, () => task(this.#turn));
  }

  /** Like {@link inTurn}, but if no other task runs or waits, `task` begins before this returns. @throws the error of the task */
  inTurnSoon<T>(cause: Cause, task: (turn: Turn) => Awaitable<T>): Awaitable<T> {
    return this.#queue.runSoon(() => {
      this.#assertRunning(callOf(cause));
      return this.#asTask(cause, () => task(this.#turn));
    });
  }

  /**
   * Runs calls synchronously. If no other task runs or waits, their {@link Controls.patch} writes are stored together before this
   * returns or resolves, so that the state root is computed only once.
   * @throws the error of the store, or rejects with it: then none of these writes was made
   */
  together(run: () => void): Awaitable<void> {
    const { chain, inputs } = this.#deps;
    // The log of a shared chain contains the state root after each call.
    if (!this.#queue.isIdle || inputs?.logsHead) return run();
    chain.gather(run);
    return this.#queue.runSoon(() => chain.settle());
  }

  get #turn(): Turn {
    return {
      producer: this.#producer,
      admit: (transaction, into) => this.#admit(transaction, into && { into }),
    };
  }

  /** Runs a task that is rolled back if it fails, see {@link allOrNothing}. */
  #whole<T>(cause: Cause, task: (producer: Producer) => Awaitable<T>): Awaitable<T> {
    return this.inTurnSoon(cause, (turn) => allOrNothing(turn, this.#deps, () => task(turn.producer)));
  }

  /** Appends or removes blocks from outside, with no other change. @throws Error in a mode with an open block */
  alone<T>(task: () => Promise<T>): Promise<T> {
    if (preconfirms(this.mode)) throw new Error('a block is open: none can be put under it');
    return this.#exclusive('outside', task);
  }

  /** Seals a block now, with the pending pool transactions. See {@link Producer.seal}. */
  async mine(cause: Cause, timestamp?: bigint): Promise<TrieBlock> {
    return this.#whole(cause, (producer) => producer.seal(timestamp));
  }

  /**
   * Switches the mode. Seals the open block's pre-confirmed transactions first; if that fails, the mode doesn't change.
   * @param options.sealsWaiting if the new mode seals each send: seals the pending transactions now, not with the next send
   */
  setMode(cause: Cause, mode: MiningMode, { sealsWaiting = false } = {}): Promise<void> {
    const change = async (before: Producer) => {
      await before.stop();
      const next = this.#producerFor(mode);
      try {
        await next.start(this.#deps.chain.latest);
        this.#producer = next;
        if (sealsWaiting && sealsEachSend(mode)) await this.#sealWaiting();
      } catch (error) {
        await next.stop();
        this.#producer = before;
        throw error;
      }
    };
    return this.#exclusive(cause, () => allOrNothing(this.#turn, this.#deps, () => change(this.#producer)));
  }

  /** Changes settings of the next block, see {@link Producer.setNext}. */
  setNext(cause: Cause, next: NextSettings): Awaitable<void> {
    return this.#whole(cause, (producer) => producer.setNext(next));
  }

  /** Changes settings of all blocks from the next one on; {@link setNext} says which block is the next one. */
  configure(cause: Cause, settings: Partial<BlockSettings>): Awaitable<void> {
    return this.#whole(cause, (producer) => {
      this.#deps.settings.change(settings);
      return producer.settingsChanged();
    });
  }

  /**
   * Applies a dev write. It is visible at `latest` and `pending` immediately, and part of the next block's state root.
   * @param write computes the writes from the state that they change: first the head's, then the open block's, in which
   *   transactions may have changed other fields of the same accounts
   */
  patch(cause: Cause, write: PatchHead): Awaitable<void> {
    return this.#whole(cause, (producer) => producer.patch(write));
  }

  /** Delays the timer by at least `ms` milliseconds. Ticks that fall due in that time run late, afterwards. */
  hold(cause: Cause, ms: number): Promise<void> {
    return this.#exclusive(cause, async () => this.#producer.hold(ms));
  }

  #producerFor(mode: MiningMode): Producer {
    const deps: ProducerDeps = {
      ...this.#deps,
      faults: this.faults,
      metrics: this.metrics,
      run: (task, at) => this.#tick(task, at).catch((error) => this.#deps.end.abort(error)),
      onTick: () => this.#deps.inputs?.ticked(),
    };
    return preconfirms(mode) ? new FlashblockProducer(mode, deps) : new InstantProducer(mode, deps);
  }

  /** Runs a tick; if the gate is closed, once it is open again. @param at see {@link TaskClock.hold} */
  async #tick(task: () => Promise<void>, at?: number): Promise<void> {
    const { gate } = this.#deps;
    for (let due = at; ; due = undefined) {
      const isDone = await this.#queue.run(async () => {
        if (!this.#running) throw stopped();
        if (gate?.haltReason()) return false;
        const whole = () => allOrNothing(this.#turn, this.#deps, task);
        try {
          await this.#asTask('tick', whole, due === undefined ? {} : { at: due });
          this.#delayed = undefined;
        } catch (error) {
          this.#tryLater(error);
        }
        return true;
      });
      if (isDone) return;
      await gate!.resumed();
    }
  }

  /** Makes the timer try a block again later if the forked node didn't answer. @throws any other error */
  #tryLater(error: unknown): void {
    const { mode } = this;
    // A replay ends the task with a timeout.
    const isTimeOut = error instanceof DevnetError && error.kind === 'timedOut';
    if (!('blockTime' in mode) || !(isOutsideFailure(error) || isTimeOut)) throw error;
    this.#producer.hold(mode.flashblockInterval || mode.blockTime);
    if (this.#delayed === undefined) this.#deps.onDelayed?.(error as DevnetError);
    this.#delayed = error;
  }

  /** Runs `task` as the only writer. @param at see {@link TaskClock.hold} @throws DevnetError when the chain has stopped */
  #exclusive<T>(cause: Cause, task: () => Awaitable<T>, at?: number): Promise<T> {
    return this.#queue.run(() => {
      this.#assertRunning(callOf(cause));
      return this.#asTask(cause, task, { at });
    });
  }

  /**
   * Ends a call that has timed out, see {@link CurrentTask.expire}.
   * @returns `ended`; `rollsBack`: it rolls back its writes before it ends; `continues`: it can't be ended any more and continues
   */
  expire(call: CallInput, error: DevnetError): 'ended' | 'rollsBack' | 'continues' {
    const { current, inputs } = this.#deps;
    const task = current.expire(call, error);
    if (task === undefined) return 'continues';
    if (task === 'waits') inputs?.dropped(call);
    else inputs?.expired();
    return task === 'rollsBack' ? 'rollsBack' : 'ended';
  }

  /**
   * Runs `task` with the clock paused, and reports its beginning and end to the inputs.
   * @param options.at see {@link TaskClock.hold}
   * @param options.call the call that waits for the task, if it isn't the cause
   */
  #asTask<T>(
    cause: Cause,
    task: () => Awaitable<T>,
    { at, call = callOf(cause) }: { at?: number | undefined; call?: CallInput | undefined } = {},
  ): Awaitable<T> {
    const { clock, current, inputs } = this.#deps;
    current.begin(call);
    clock.hold(at);
    const end = () => {
      current.end();
      clock.release();
      inputs?.ended();
    };
    let result: Awaitable<T>;
    try {
      inputs?.began(cause, clock.now());
      result = task();
    } catch (error) {
      end();
      throw error;
    }
    // Only an asynchronous task can fail because the forked node doesn't answer.
    if (result instanceof Promise) return endedBy(result, { failed: (error) => current.failed(error), end });
    end();
    return result;
  }

  /** Ends all writing. Reads are still possible. */
  #onEnd(): void {
    // A timer may fire while the chain is being stopped.
    if (!this.#running) return;
    this.#running = false;
    this.#deps.feed.emit('closed', undefined);
    this.#deps.onFatal(this.#deps.end.signal.reason);
  }

  /** @param call the call whose task is about to begin. If it has begun another task before, it continues even if the gate is closed. */
  #assertRunning(call?: CallInput): void {
    const { current, inputs, gate } = this.#deps;
    const refusal = this.#running ? gate?.haltReason() : stopped();
    if (!refusal || (call && this.#running && current.hasBegun(call))) return;
    // Without this, a replay or a follower would execute the call.
    if (call) inputs?.dropped(call);
    throw refusal;
  }

  #admit(
    transaction: Transaction,
    {
      rules,
      added,
      isWanted,
      into,
    }: {
      rules?: Partial<AdmissionRules>;
      added?: () => void;
      isWanted?: () => void;
      into?: NonNullable<Parameters<Turn['admit']>[1]>;
    } = {},
  ): Promise<void> {
    const { chain, settings } = this.#deps;
    const { mempool } = into ?? this.#deps;
    if (transaction.tx.type === DEPOSIT_TYPE) refuseKnown(transaction, chain, into?.head.header.number);
    const allRules: AdmissionRules = {
      blockGasLimit: settings.every.gasLimit,
      minGasPrice: this.#minGasPrice,
      hardfork: this.#nextHardfork,
      optimism: this.#deps.engine.schedule.optimism ?? false,
    };
    if (rules) Object.assign(allRules, rules);
    const on = into ? { newest: into.head, latest: into.head } : chain;
    const deps = { chain: on, mempool, next: () => this.nextFees() };
    const withReplaced = (replaced: Transaction | undefined) => {
      added?.();
      if (replaced) this.#announceReplaced(replaced, transaction);
    };
    return admit(transaction, allRules, deps, { added: withReplaced, isWanted });
  }

  /** Waits for the running task first: it may already have included the replaced transaction in its block. */
  async #announceReplaced(replaced: Transaction, { hash }: Transaction): Promise<void> {
    const { chain, feed } = this.#deps;
    if (!this.#queue.isIdle) await this.settled();
    if (chain.findTransaction(replaced.hash)) return;
    const reason = `it was replaced by transaction ${bytesToHex(hash)}, which has the same sender and nonce and higher fees`;
    feed.emit('dropped', { transaction: replaced, reason, by: hash });
  }
}

/** The call that enqueued a task, if any. */
function callOf(cause: Cause): CallInput | undefined {
  return typeof cause === 'object' ? cause : undefined;
}

function stopped(): DevnetError {
  return new DevnetError('server', { reason: 'the chain has stopped' });
}

/** Like `Promise.finally`, which takes three times as many microtasks. */
async function endedBy<T>(
  task: Promise<T>,
  { failed, end }: { failed: (error: unknown) => void; end: () => void },
): Promise<T> {
  try {
    return await task;
  } catch (error) {
    failed(error);
    throw error;
  } finally {
    end();
  }
}
