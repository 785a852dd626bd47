import type { Address } from '@ethereumjs/util';
import type { CallView, EnvHeader, Transaction } from '../chain/block.ts';
import { envOf } from '../chain/block-env.ts';
import {
  CALL_RULES,
  type Engine,
  type ExecuteOptions,
  type Precompiles,
  TRANSACTION_RULES,
  type Tracer,
} from '../engine/engine.ts';
import { type Estimate, lackedGas, TRANSFER_GAS } from '../engine/estimate.ts';
import { messageOf } from '../engine/message.ts';
import { OutOfGasInside } from '../engine/tracers/out-of-gas-inside.ts';
import { asRejected, DevnetError } from '../errors.ts';
import { intrinsicGas } from '../protocol/intrinsic-gas.ts';
import type { AccessList, BlockEnv, Executed, Message, Outcome, Rules } from '../protocol/types.ts';
import { transactionGasCap } from '../protocol/validity.ts';
import { Overlay } from '../state/overlay.ts';
import { applyOverrides } from '../state/overrides.ts';
import { type Awaitable, andThen, type StateView } from '../state/view.ts';
import { giveWay, type Pauses, turns } from '../turns.ts';
import { searchAccessList } from './access-list.ts';
import { callError } from './call-error.ts';
import { type CallStyle, withFeesOf } from './call-fees.ts';
import { type CallRequest, toMessage, ZERO_ADDRESS } from './call-request.ts';
import { type Attempt, estimateAsHardhat } from './estimate-as-hardhat.ts';
import { applyStateOverrides, type BlockOverrides, overrideEnv, type StateOverrides } from './overrides.ts';

export interface CallerOptions {
  /** maximum gas of a call; also its gas if the call object has no `gas` */
  readonly gasLimit: bigint;
  /** whether estimates respect EIP-7825's cap on the gas of one transaction */
  readonly gasCap: boolean;
  readonly style: CallStyle;
  /** Whether a plain transfer is estimated at 21,000 gas even if the sender can't pay, as anvil does. */
  readonly anyoneTransfers: boolean;
  /** With style `hardhat`: whether the estimate must be enough for all calls inside the transaction, as in Hardhat 3. */
  readonly gasInside: boolean;
  /** With style `hardhat`: the tip of an estimate without fees, in wei per gas. */
  readonly suggestedTip: bigint;
}

export interface CallerDeps {
  readonly engine: Engine;
  readonly hashOf: BlockEnv['blockHash'];
  /** called after each call with the option `answers` */
  readonly onAnswer?: ((call: AnsweredCall) => void) | undefined;
  /** called after each estimate */
  readonly onEstimate?: ((estimate: EndedEstimate) => void) | undefined;
}

/** A call and its result. */
export interface AnsweredCall {
  /** the view on which the call ran */
  readonly view: CallView;
  readonly request: CallRequest;
  readonly overrides: CallOverrides;
  readonly executed: Executed;
}

/** A finished gas estimate. */
export interface EndedEstimate extends Omit<AnsweredCall, 'executed'> {
  /** whether the transaction is sent even if it fails */
  readonly isSent: boolean;
  /** the estimated gas limit; `undefined` if the estimate failed */
  readonly gas: bigint | undefined;
}

/** How the runs of one request share the event loop with other work. */
export interface PauseOptions {
  /** decides when the runs pause and when they must end; default: like background work that no caller waits for */
  readonly pauses?: Pauses | undefined;
}

const NO_FEES: CallRequest = {};
/** Like anvil and Hardhat, ignores the base fee. */
const ANY_PRICE: Rules = { ...CALL_RULES, baseFee: false };

/** Environments for calls on a block: `env` has the block's base fee, `free` a base fee of 0. */
interface CallEnvs {
  readonly env: BlockEnv;
  readonly free: BlockEnv;
}

/** Changes that a call sees on top of the block and its state. */
export interface CallOverrides {
  readonly state?: StateOverrides | undefined;
  readonly block?: BlockOverrides | undefined;
}

/** Runs messages on a view and discards their writes, for `eth_call`, `eth_estimateGas` and similar methods. */
export class Caller {
  readonly #options: CallerOptions;
  readonly #deps: CallerDeps;
  /** cache of environments by header */
  readonly #envs = new WeakMap<EnvHeader, CallEnvs>();

  constructor(options: CallerOptions, deps: CallerDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  /**
   * Runs a call.
   * @param options.answers whether the call's result answers a request, so that {@link CallerDeps.onAnswer} is called
   * @returns the result; a promise only if the call had to wait
   * @throws DevnetError if the message can't be executed; a revert or other failure is part of the result
   */
  call(
    view: CallView,
    request: CallRequest,
    overrides: CallOverrides = {},
    {
      tracer,
      onAccessList,
      pauses = turns,
      answers = false,
    }: Pick<ExecuteOptions, 'tracer' | 'onAccessList'> & PauseOptions & { readonly answers?: boolean } = {},
  ): Awaitable<Executed> {
    const options = { console: !tracer, tracer, onAccessList, discards: true, background: pauses };
    const prepared = this.#prepare(view, request, overrides, pauses);
    const running =
      prepared instanceof Promise
        ? prepared.then((late) => this.#run(late, options))
        : this.#run(prepared, options);
    const { onAnswer } = this.#deps;
    if (!answers || !onAnswer) return running;
    return andThen(running, (executed) => {
      onAnswer({ view, request, overrides, executed });
      return executed;
    });
  }

  /** Runs calls in order, each on the writes of the previous calls. Applies the state overrides once, before the first call. */
  async callInSequence(
    view: CallView,
    calls: readonly (Watched & {
      readonly request: CallRequest;
      readonly block?: BlockOverrides | undefined;
    })[],
    { overrides, pauses = turns }: { readonly overrides?: StateOverrides | undefined } & PauseOptions = {},
  ): Promise<Executed[]> {
    const { engine } = this.#deps;
    const written = new Overlay(view.state);
    const precompilesOf = () => engine.precompiles(this.#envOf(view, NO_FEES));
    const precompiles = overrides && (await applyStateOverrides(written, overrides, precompilesOf, pauses));
    const results: Executed[] = [];
    for (const { request, block, tracer, ended } of calls) {
      const { message, env } = await this.#prepare({ ...view, state: written }, request, { block }, pauses);
      const state = new Overlay(written);
      const options = { tracer, background: pauses };
      const executed = await this.#run({ message, env, state, precompiles }, options);
      await ended?.(executed, state);
      results.push(executed);
      written.apply(state.writes());
      await giveWay(pauses);
    }
    return results;
  }

  /**
   * Executes signed transactions in order, under the rules of a block, each on the writes of the previous ones.
   * @param block overrides fields of the block
   * @throws DevnetError -32003 for a transaction that is invalid in that block
   */
  async transactInSequence(
    view: CallView,
    transactions: readonly (Watched & { readonly transaction: Transaction })[],
    { block, pauses = turns }: { readonly block?: BlockOverrides | undefined } & PauseOptions = {},
  ): Promise<Executed[]> {
    const { engine, hashOf } = this.#deps;
    const env = overrideEnv(envOf(view.header, engine, hashOf), block, engine);
    const state = new Overlay(view.state);
    const rules = { ...TRANSACTION_RULES, gasCap: this.#options.gasCap };
    const results: Executed[] = [];
    for (const { transaction, tracer, ended } of transactions) {
      const options = { tracer, background: pauses };
      const outcome = await engine.execute(messageOf(transaction), env, state, rules, options);
      if (outcome.kind === 'invalid') throw asRejected(outcome.error);
      await ended?.(outcome, state);
      results.push(outcome);
      await giveWay(pauses);
    }
    return results;
  }

  /**
   * Estimates the lowest gas limit with which the call succeeds, to within 1.5 %. A failed estimate prints the call's console.log lines.
   * @param options.isSent whether the transaction is sent even if the estimate fails, so that the transaction itself prints them
   * @throws DevnetError 3 (revert), -32015 (another failure), -32000 (the highest limit isn't enough), or the reason why the message
   *   can't be executed
   */
  estimateGas(
    view: CallView,
    request: CallRequest,
    overrides: CallOverrides = {},
    { isSent = false, pauses = turns }: { readonly isSent?: boolean } & PauseOptions = {},
  ): Awaitable<bigint> {
    const { style, suggestedTip, anyoneTransfers } = this.#options;
    const { onEstimate } = this.#deps;
    const estimating = () =>
      andThen(this.#prepare(view, request, overrides, pauses, suggestedTip), (prepared) => {
        const { message, env, state, precompiles } = prepared;
        const most = this.#mostFor(request, env);
        const console = !isSent && ('failed' as const);
        if (style === 'hardhat')
          return this.#estimateAsHardhat(prepared, most, { console, background: pauses }).catch(reject);
        const rules = style === 'geth' ? CALL_RULES : ANY_PRICE;
        const search = { console, background: pauses, precompiles, anyoneTransfers };
        const estimate = this.#deps.engine.estimate(message, most, env, state, rules, search);
        return estimate instanceof Promise ? estimate.then(gasOf).catch(reject) : gasOf(estimate);
      });
    if (!onEstimate) return estimating();
    const end = (gas: bigint | undefined) => onEstimate({ view, request, overrides, isSent, gas });
    const succeed = (gas: bigint) => {
      end(gas);
      return gas;
    };
    const fail = (error: unknown): never => {
      end(undefined);
      throw error;
    };
    try {
      const estimate = estimating();
      return estimate instanceof Promise ? estimate.then(succeed, fail) : succeed(estimate);
    } catch (error) {
      return fail(error);
    }
  }

  #estimateAsHardhat(
    prepared: Prepared,
    most: bigint,
    { console = false, ...options }: Pick<ExecuteOptions, 'console' | 'background'>,
  ): Promise<bigint> {
    const { message, env } = prepared;
    let tries = 0;
    const run = async (tried: Message): Promise<Attempt> => {
      const tracer = this.#options.gasInside ? new OutOfGasInside() : undefined;
      const attempt = { ...prepared, message: tried };
      // Only the first attempt prints console.log lines: it has the most gas.
      const told = tries++ === 0 && console;
      const executed = await this.#run(attempt, { ...options, tracer, console: told, discards: true });
      return tracer?.found ? { ...executed, ranOutInside: true } : executed;
    };
    const { gas: intrinsic } = intrinsicGas(message, this.#deps.engine.hardforkOf(env));
    return estimateAsHardhat(message, { intrinsic, most }, run);
  }

  /** The highest gas limit of a transaction in this block: the block gas limit or EIP-7825's cap, whichever is lower. */
  mostGas({ header }: CallView): bigint {
    const { engine, hashOf } = this.#deps;
    return this.#capped(header.gasLimit, envOf(header, engine, hashOf));
  }

  /** The highest gas limit that an estimate tries. */
  #mostFor({ gas }: CallRequest, env: BlockEnv): bigint {
    const most = this.#capped(gas !== undefined && gas >= TRANSFER_GAS ? gas : env.gasLimit, env);
    return most > this.#options.gasLimit ? this.#options.gasLimit : most;
  }

  #capped(gas: bigint, env: BlockEnv): bigint {
    const cap = this.#options.gasCap ? transactionGasCap(this.#deps.engine.hardforkOf(env)) : undefined;
    return cap !== undefined && gas > cap ? cap : gas;
  }

  /** Finds the call's access list (EIP-2930). @returns the list, and the result of the call with it */
  async createAccessList(
    view: CallView,
    request: CallRequest,
    overrides: CallOverrides = {},
    { pauses = turns }: PauseOptions = {},
  ): Promise<{ accessList: AccessList; executed: Executed }> {
    const prepared = await this.#prepare(view, request, overrides, pauses);
    const { message, env } = prepared;
    const warm = new Set<string>(
      [message.from, ...(message.to ? [message.to] : [])].map((address) => address.toString()),
    );
    for (const address of this.#deps.engine.precompiles(env).keys()) warm.add(`0x${address}`);
    return searchAccessList(
      message,
      warm,
      (tried, onAccessList) =>
        this.#run({ ...prepared, message: tried }, { onAccessList, discards: true, background: pauses }),
      pauses,
    );
  }

  /** @param defaultTip see {@link withFeesOf} */
  #prepare(
    view: CallView,
    given: CallRequest,
    overrides: CallOverrides,
    pauses: Pauses,
    defaultTip = 0n,
  ): Awaitable<Prepared> {
    const { engine } = this.#deps;
    const { gasLimit, style } = this.#options;
    const request = style === 'geth' ? given : withFeesOf(style, given, defaultTip);
    const known = this.#envOf(view, request);
    const env = overrides.block ? overrideEnv(known, overrides.block, engine) : known;
    const gas = request.gas === undefined || request.gas > gasLimit ? gasLimit : request.gas;
    const { chainId } = engine.schedule;
    // The nonce has no effect on a call that creates no contract.
    if (!overrides.state?.size && request.to)
      return { message: toMessage(request, { gas, nonce: 0n, chainId }), env, state: view.state };
    const state = new Overlay(view.state);
    const moving =
      overrides.state && applyStateOverrides(state, overrides.state, () => engine.precompiles(env), pauses);
    return andThen(moving, (precompiles) =>
      andThen(request.to ? 0n : nonceOf(request.from ?? ZERO_ADDRESS, state), (nonce) => {
        const message = toMessage(request, { gas, nonce, chainId });
        return { message, env, state, precompiles };
      }),
    );
  }

  /**
   * The environment of a call. As in geth, a call without a fee on a sealed block sees a base fee of 0, since its fee would be
   * below the block's base fee; on the pending block it sees the real base fee. With style `hardhat` every call sees a base fee
   * of 0.
   */
  #envOf({ header, sealed }: CallView, { gasPrice, maxFeePerGas }: CallRequest): BlockEnv {
    const { engine, hashOf } = this.#deps;
    const { style } = this.#options;
    let known = this.#envs.get(header);
    if (!known) {
      const env = envOf(header, engine, hashOf);
      known = { env, free: env.baseFeePerGas === undefined ? env : { ...env, baseFeePerGas: 0n } };
      this.#envs.set(header, known);
    }
    const isFree = style === 'hardhat' || (sealed && (gasPrice ?? maxFeePerGas ?? 0n) === 0n);
    return isFree ? known.free : known.env;
  }

  /**
   * @param prepared its state must be an {@link Overlay}, unless `options.discards` is true
   * @throws DevnetError if the message can't be executed, converted by {@link asRejected}, or rejects with it
   */
  #run(
    { message, env, state, precompiles }: Prepared,
    {
      console = false,
      tracer,
      onAccessList,
      discards = false,
      background,
    }: Pick<ExecuteOptions, 'console' | 'tracer' | 'onAccessList' | 'discards' | 'background'>,
  ): Awaitable<Executed> {
    const { engine } = this.#deps;
    // No object spread: it would take longer than the rest of this function.
    const options = { console, tracer, onAccessList, precompiles, discards, background };
    const { style } = this.#options;
    const rules = style === 'geth' ? CALL_RULES : ANY_PRICE;
    try {
      const running =
        style === 'hardhat'
          ? fund(message, state, options).then((on) => engine.execute(message, env, on, rules, options))
          : engine.execute(message, env, state, rules, options);
      return running instanceof Promise ? running.then(executedOf).catch(reject) : executedOf(running);
    } catch (error) {
      return reject(error);
    }
  }
}

/** @throws DevnetError if the message couldn't be executed */
function executedOf(outcome: Outcome): Executed {
  if (outcome.kind === 'invalid') throw outcome.error;
  return outcome;
}

/** @throws the error; a DevnetError is converted by {@link asRejected} */
function reject(error: unknown): never {
  throw error instanceof DevnetError ? asRejected(error) : error;
}

/** Observers of one run in a sequence. */
interface Watched {
  readonly tracer?: Tracer | undefined;
  /** called after the run with its result and the state after it, before the next run begins */
  readonly ended?: ((executed: Executed, state: StateView) => Awaitable<void>) | undefined;
}

/** A message and its execution context. */
interface Prepared {
  readonly message: Message;
  readonly env: BlockEnv;
  readonly state: StateView;
  readonly precompiles?: Precompiles | undefined;
}

function nonceOf(address: Address, state: StateView): Awaitable<bigint> {
  return andThen(state.getAccount(address), (account) => account?.nonce ?? 0n);
}

/**
 * Raises the sender's balance to the message's maximum cost. Not for deposits, which mint their value.
 * @returns the state with the raised balance: an overlay over `state` if the run's writes are discarded, else `state` itself
 */
async function fund(message: Message, state: StateView, { discards }: ExecuteOptions): Promise<StateView> {
  if (message.deposit) return state;
  const cost = message.value + message.gasLimit * message.maxFeePerGas;
  const balance = (await state.getAccount(message.from))?.balance ?? 0n;
  if (balance >= cost) return state;
  const funded = discards ? new Overlay(state) : (state as Overlay);
  await applyOverrides(funded, new Map([[message.from.toString(), { balance: cost }]]));
  return funded;
}

/** @throws DevnetError with the reason if there is no estimate */
function gasOf(estimate: Estimate): bigint {
  if (typeof estimate === 'bigint') return estimate;
  if (estimate.kind === 'invalid') return reject(estimate.error);
  if (lackedGas(estimate)) throw new DevnetError('gasAllowance', { allowance: estimate.gasLimit });
  throw callError(estimate)!;
}
