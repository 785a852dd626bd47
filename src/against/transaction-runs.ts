import type { Engine, Tracer } from '../engine/engine.ts';
import type { BlockEnv, Executed, Message, Outcome, Rules } from '../protocol/types.ts';
import { Overlay } from '../state/overlay.ts';
import { applyOverrides } from '../state/overrides.ts';
import { PREDEPLOYS } from '../state/predeploys.ts';
import type { StateView } from '../state/view.ts';
import { type Pauses, turns } from '../turns.ts';
import type { Runs } from './compare.ts';
import { stateDifference } from './state-difference.ts';

/** The engine, block environment and rules of a run. */
export interface Setting {
  readonly engine: Engine;
  readonly env: BlockEnv;
  readonly rules: Rules;
}

/** Accounts to which an OP chain pays fees. */
const VAULTS = [
  PREDEPLOYS.sequencerFeeVault,
  PREDEPLOYS.baseFeeVault,
  PREDEPLOYS.l1FeeVault,
  PREDEPLOYS.operatorFeeVault,
];

/** The runs of a transaction on the state before it. */
export class TransactionRuns implements Runs {
  readonly gasLimit: bigint;
  readonly mostGas: bigint;
  readonly estimate: bigint | undefined;
  readonly hasLogs = true;
  readonly #message: Message;
  readonly #before: StateView;
  readonly #now: Setting;
  readonly #other: Setting;
  readonly #pauses: Pauses;
  /** the states after the last runs */
  #leftNow: Overlay;
  #leftThen: Overlay;
  /** wei that the sender got before the last run by the other rules */
  #given = 0n;

  /**
   * @param options.before the caller must not change it until the comparison is done; the runs don't change it
   * @param options.mostGas see {@link Runs.mostGas}
   * @param options.estimate see {@link Runs.estimate}
   */
  constructor(options: {
    readonly message: Message;
    readonly before: StateView;
    readonly now: Setting;
    readonly other: Setting;
    readonly mostGas: bigint;
    readonly estimate?: bigint | undefined;
    readonly pauses?: Pauses;
  }) {
    this.#message = options.message;
    this.gasLimit = options.message.gasLimit;
    this.mostGas = options.mostGas;
    this.estimate = options.estimate;
    this.#before = options.before;
    this.#now = options.now;
    this.#other = options.other;
    this.#pauses = options.pauses ?? turns;
    this.#leftNow = new Overlay(this.#before);
    this.#leftThen = this.#leftNow;
  }

  async now(tracer?: Tracer): Promise<Outcome> {
    this.#leftNow = new Overlay(this.#before);
    return this.#run(this.#now, this.#message, this.#leftNow, tracer);
  }

  async other({ gas, tracer }: { gas?: bigint | undefined; tracer?: Tracer } = {}): Promise<Outcome> {
    const message = gas === undefined ? this.#message : this.#messageWith(gas);
    this.#given = this.#costOf(message.gasLimit);
    this.#leftThen = await this.#funded(this.#given);
    return this.#run(this.#other, message, this.#leftThen, tracer);
  }

  async needs(): Promise<bigint | undefined> {
    const { engine, env, rules } = this.#other;
    const state = await this.#funded(this.#costOf(this.mostGas));
    const options = { background: this.#pauses };
    const message = this.#messageWith(this.mostGas);
    const estimate = await engine.estimate(message, this.mostGas, env, state, rules, options);
    return typeof estimate === 'bigint' ? estimate : undefined;
  }

  async paysForRecipient(): Promise<boolean> {
    const { engine, env } = this.#other;
    const { to, value } = this.#message;
    if (!to || value === 0n || !engine.hardforkOf(env).has(8037)) return false;
    return (await this.#before.getAccount(to)) === undefined;
  }

  stateDifference(now: Executed, other: Executed): Promise<string | undefined> {
    const unpriced = this.#now.engine.schedule.optimism
      ? new Set([this.#message.from, this.#now.env.coinbase].map(String).concat(VAULTS))
      : undefined;
    return stateDifference(
      this.#message,
      { executed: now, env: this.#now.env, state: this.#leftNow, given: 0n },
      { executed: other, env: this.#other.env, state: this.#leftThen, given: this.#given },
      unpriced,
    );
  }

  async #run(
    { engine, env, rules }: Setting,
    message: Message,
    state: Overlay,
    tracer: Tracer | undefined,
  ): Promise<Outcome> {
    return engine.execute(message, env, state, rules, { tracer, background: this.#pauses });
  }

  /** The message with another gas limit. The raw bytes, with the old limit, are kept only if the chain charges for them (OP Stack). */
  #messageWith(gasLimit: bigint): Message {
    const { raw, ...fields } = this.#message;
    const isCharged = this.#other.engine.schedule.optimism === true;
    return { ...fields, gasLimit, ...(isCharged && raw && { raw }) };
  }

  /** Additional wei that a gas limit costs over the message's own; 0 if it is lower. */
  #costOf(gas: bigint): bigint {
    const { gasLimit, maxFeePerGas } = this.#message;
    return gas > gasLimit ? (gas - gasLimit) * maxFeePerGas : 0n;
  }

  /** The state before the transaction, with a higher balance of the sender. @param given wei */
  async #funded(given: bigint): Promise<Overlay> {
    const state = new Overlay(this.#before);
    if (given === 0n) return state;
    const { from } = this.#message;
    const balance = (await state.getAccount(from))?.balance ?? 0n;
    await applyOverrides(state, new Map([[from.toString(), { balance: balance + given }]]));
    return state;
  }
}
