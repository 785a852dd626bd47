import type { Address } from '@ethereumjs/util';
import type { CallView, EnvHeader, Transaction } from '../chain/block.ts';
import { envOf } from '../chain/block-env.ts';
import { asRejected, DevnetError } from '../errors.ts';
import type { Opening } from '../evm/block-maker.ts';
import {
  CALL_RULES,
  type Engine,
  type ExecuteOptions,
  type Precompiles,
  TRANSACTION_RULES,
  type Tracer,
} from '../evm/engine.ts';
import { type HexCall, type Sign, type SignedCall, transfersAtMost } from '../evm/hex-call.ts';
import { intrinsicGas } from '../evm/intrinsic-gas.ts';
import { messageOf } from '../evm/message.ts';
import type { FeeMarket } from '../evm/signed-transaction.ts';
import type { AccessList, BlockEnv, Executed, FailedRun, Message, Rules } from '../evm/types.ts';
import { TRANSACTION_GAS_CAP } from '../evm/validity.ts';
import { Overlay } from '../state/overlay.ts';
import { applyOverrides } from '../state/overrides.ts';
import { type Awaitable, andThen, type StateView } from '../state/view.ts';
import { giveWay, type Pauses, turns } from '../turns.ts';
import { searchAccessList } from './access-list.ts';
import { callError } from './call-error.ts';
import { type CallStyle, withFeesOf } from './call-fees.ts';
import { type CallRequest, toMessage, ZERO_ADDRESS } from './call-request.ts';
import { affordable, estimateGas, TRANSFER_GAS } from './estimate.ts';
import { estimateAsHardhat } from './estimate-as-hardhat.ts';
import { applyStateOverrides, type BlockOverrides, overrideEnv, type StateOverrides } from './overrides.ts';

export interface CallerOptions {
  /** most gas of a call; also its gas when the call object doesn't give any */
  readonly gasLimit: bigint;
  /** whether estimates keep to EIP-7825's cap on the gas of one transaction */
  readonly gasCap: boolean;
  readonly style: CallStyle;
  /** Whether a plain transfer is estimated at 21,000 gas even if the sender can't pay, as anvil does. */
  readonly anyoneTransfers: boolean;
  /** wei per gas: the tip of an estimate without fees where `style` is Hardhat's */
  readonly suggestedTip: bigint;
}

export interface CallerDeps {
  readonly engine: Engine;
  readonly hashOf: BlockEnv['blockHash'];
  /** default: as background work without a caller */
  readonly pauses?: Pauses;
}

const NO_FEES: CallRequest = {};
/** As in anvil and Hardhat. */
const ANY_PRICE: Rules = { ...CALL_RULES, baseFee: false };

/** The environment of calls on a block, with its base fee and without. */
interface CallEnvs {
  readonly env: BlockEnv;
  readonly free: BlockEnv;
}

/** Changes that a call sees on top of the block and its state. */
export interface CallOverrides {
  readonly state?: StateOverrides | undefined;
  readonly block?: BlockOverrides | undefined;
}

/** Runs messages on a view and discards their writes, for `eth_call`, `eth_estimateGas` and their relatives. */
export class Caller {
  readonly #options: CallerOptions;
  readonly #deps: CallerDeps & { readonly envs: WeakMap<EnvHeader, CallEnvs> };

  /** @param deps.envs those that are known */
  constructor(options: CallerOptions, deps: CallerDeps & { readonly envs?: WeakMap<EnvHeader, CallEnvs> }) {
    this.#options = options;
    this.#deps = { envs: new WeakMap(), ...deps };
  }

  /** The same for one request, which pauses and ends by what it is given. */
  within(pauses: Pauses): Caller {
    const { engine, hashOf, envs } = this.#deps;
    return new Caller(this.#options, { engine, hashOf, envs, pauses });
  }

  /**
   * @returns a promise where something has to be waited for
   * @throws DevnetError when the message can't be executed; a revert or other failure is part of the result
   */
  call(
    view: CallView,
    request: CallRequest,
    overrides: CallOverrides = {},
    options?: ExecuteOptions,
  ): Awaitable<Executed> {
    return andThen(this.#prepare(view, request, overrides), ({ message, env, state, precompiles }) => {
      const running = { console: !options?.tracer, ...options, precompiles, discards: true };
      return rejecting(() => this.#run(message, env, state, running));
    });
  }

  /**
   * Runs a call with a target, and without amounts, in one step.
   * @returns what it returned, as JSON; `undefined` where only {@link call} can answer
   */
  callHex(view: CallView, call: HexCall): string | undefined {
    return this.#deps.engine.callHex(call, this.#options.gasLimit, this.#envOf(view, NO_FEES), view.state);
  }

  /** Runs calls in order, each on the writes of those before it. Account overrides are applied once, first. */
  async callInSequence(
    view: CallView,
    calls: readonly (Watched & {
      readonly request: CallRequest;
      readonly block?: BlockOverrides | undefined;
    })[],
    overrides?: StateOverrides,
  ): Promise<Executed[]> {
    const written = new Overlay(view.state);
    let moved: Precompiles | undefined;
    const results: Executed[] = [];
    for (const [i, { request, block, tracer, ended }] of calls.entries()) {
      const { message, env, state, precompiles } = await this.#prepare({ ...view, state: written }, request, {
        state: i === 0 ? overrides : undefined,
        block,
      });
      moved = precompiles ?? moved;
      const executed = await rejecting(() => this.#run(message, env, state, { precompiles: moved, tracer }));
      await ended?.(executed, state);
      results.push(executed);
      written.apply(state.writes());
      await giveWay(this.#deps.pauses);
    }
    return results;
  }

  /**
   * Executes signed transactions in order by the rules of a block, each on the writes of those before it.
   * @param block overrides fields of the block
   * @throws DevnetError -32003 for a transaction that is invalid there
   */
  async transactInSequence(
    view: CallView,
    transactions: readonly (Watched & { readonly transaction: Transaction })[],
    block?: BlockOverrides,
  ): Promise<Executed[]> {
    const { engine, hashOf, pauses = turns } = this.#deps;
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
   * The answer of {@link estimateGas} on a block that is about to be opened.
   * @returns `undefined` where only {@link estimateGas} can answer
   * @throws DevnetError of -32000 or 3 where the call fails with the highest gas limit
   */
  leastGas(opening: Opening, request: CallRequest): Awaitable<bigint | undefined> {
    const { engine } = this.#deps;
    const { gasLimit, style } = this.#options;
    const { env } = opening.start;
    // Hardhat has another search.
    if (style === 'hardhat' || !request.to) return undefined;
    // Nobody reads the nonce of a call that creates nothing.
    const message = toMessage(withFeesOf(style, request, 0n), {
      gas: gasLimit,
      nonce: 0n,
      chainId: engine.schedule.chainId,
    });
    const most = this.#mostFor(request, env);
    const search = () => engine.leastGasIn(opening, message, most, this.#deps.pauses ?? turns);
    return rejecting(() => {
      if (message.maxFeePerGas === 0n) return andThen(search(), orItsError);
      // Who offers a fee has to be able to pay it.
      return andThen(opening.state.getAccount(message.from), (account) =>
        affordable(message, most, account?.balance ?? 0n) === most
          ? andThen(search(), orItsError)
          : undefined,
      );
    });
  }

  /**
   * The answer of {@link leastGas} to a call that is text, in one step.
   * @returns `undefined` where only {@link leastGas} can answer
   * @throws DevnetError of -32000 or 3 where the call fails with the highest gas limit
   */
  estimateHex(opening: Opening, call: HexCall): bigint | undefined {
    if (!this.#searchesHex(call)) return undefined;
    const { engine } = this.#deps;
    return orItsError(engine.estimateHex(opening, call, this.#mostFor(NO_FEES, opening.start.env)));
  }

  /**
   * Writes a call that is text as a transaction, with an estimate and its sender's nonce, in one step.
   * @returns the JSON of `eth_fillTransaction`; `undefined` where it has to be made step by step
   * @throws DevnetError as {@link leastGas}
   */
  fillHex(opening: Opening, call: HexCall, fees: FeeMarket): string | undefined {
    if (!this.#searchesHex(call)) return undefined;
    const { engine } = this.#deps;
    return orItsError(engine.fillHex(opening, call, this.#mostFor(NO_FEES, opening.start.env), fees));
  }

  /**
   * Makes a signed transaction of a call that is text, in one step: with its gas, or else an estimate, and its sender's nonce.
   * @returns `undefined` where it has to be made step by step
   */
  signHex(opening: Opening, call: HexCall, fees: FeeMarket, sign: Sign): SignedCall | undefined {
    const { to, amounts: { gas, nonce, gasPrice } = {} } = call;
    if (!to || nonce !== undefined || gasPrice !== undefined) return undefined;
    if (gas === undefined ? !this.#searchesHex(call) : gas > TRANSACTION_GAS_CAP) return undefined;
    return this.#deps.engine.signHex(opening, call, this.#mostFor(NO_FEES, opening.start.env), fees, sign);
  }

  /** Hardhat has another search, and Hardhat 2 none for what it sends. */
  #searchesHex(call: HexCall): boolean {
    return this.#options.style !== 'hardhat' && transfersAtMost(call);
  }

  /**
   * The lowest gas limit that succeeds. An estimate that fails prints the lines of console.log.
   * @param options.isSent whether the transaction is sent even if it fails, and prints them itself
   * @throws DevnetError 3 (revert), -32000 (even the highest isn't enough)
   */
  async estimateGas(
    view: CallView,
    request: CallRequest,
    overrides: CallOverrides = {},
    options: { readonly isSent?: boolean } = {},
  ): Promise<bigint> {
    const { suggestedTip } = this.#options;
    const prepared = await this.#prepare(view, request, overrides, suggestedTip);
    const { message, env, state, precompiles } = prepared;
    const most = this.#mostFor(request, env);
    let first = true;
    const run = (tried: Message) => {
      // The transaction prints once more what an estimate prints, if it is sent. The first attempt has the most gas.
      const of = first && !options.isSent && ('failed' as const);
      const attempt = { precompiles, console: of, discards: true };
      first = false;
      return this.#run(tried, env, new Overlay(state), attempt);
    };
    if (this.#options.style === 'hardhat') {
      const { gas: intrinsic } = intrinsicGas(message, this.#deps.engine.hardforkOf(env));
      return rejecting(() => estimateAsHardhat(message, { intrinsic, most }, run));
    }
    return rejecting(() =>
      estimateGas(message, most, state, run, {
        anyoneTransfers: this.#options.anyoneTransfers,
        search: (high) =>
          precompiles
            ? undefined
            : this.#deps.engine.leastGas(message, high, env, state, this.#deps.pauses ?? turns),
      }),
    );
  }

  /** The highest gas limit of a transaction in this block: the block's, or EIP-7825's cap. */
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
    const capped = this.#options.gasCap && this.#deps.engine.hardforkOf(env).has(7825);
    return capped && gas > TRANSACTION_GAS_CAP ? TRANSACTION_GAS_CAP : gas;
  }

  /** Finds the call's access list (EIP-2930), and executes the call with it. */
  async createAccessList(
    view: CallView,
    request: CallRequest,
    overrides: CallOverrides = {},
  ): Promise<{ accessList: AccessList; executed: Executed }> {
    const { message, env, state, precompiles } = await this.#prepare(view, request, overrides);
    const warm = new Set<string>(
      [message.from, ...(message.to ? [message.to] : [])].map((address) => address.toString()),
    );
    for (const address of this.#deps.engine.precompiles(env).keys()) warm.add(`0x${address}`);
    return rejecting(() =>
      searchAccessList(
        message,
        warm,
        (tried, onAccessList) =>
          this.#run(tried, env, new Overlay(state), { onAccessList, precompiles, discards: true }),
        this.#deps.pauses ?? turns,
      ),
    );
  }

  /** @param defaultTip see {@link withFeesOf} */
  #prepare(
    view: CallView,
    given: CallRequest,
    overrides: CallOverrides,
    defaultTip = 0n,
  ): Awaitable<Prepared> {
    const { engine } = this.#deps;
    const request = withFeesOf(this.#options.style, given, defaultTip);
    const env = overrideEnv(this.#envOf(view, request), overrides.block, engine);
    const state = new Overlay(view.state);
    const moved = overrides.state?.size
      ? applyStateOverrides(state, overrides.state, () => engine.precompiles(env), this.#deps.pauses ?? turns)
      : undefined;
    return andThen(moved, (precompiles) =>
      // Nobody reads the nonce of a call that creates nothing.
      andThen(request.to ? 0n : nonceOf(request.from ?? ZERO_ADDRESS, state), (nonce) => {
        const { gasLimit } = this.#options;
        const gas = request.gas === undefined || request.gas > gasLimit ? gasLimit : request.gas;
        const message = toMessage(request, { gas, nonce, chainId: engine.schedule.chainId });
        return { message, env, state, precompiles };
      }),
    );
  }

  /**
   * On a sealed block a call without a fee sees a base fee of 0, as in geth, since its fee would be below the block's
   * base fee. On the pending block it sees the real base fee. In Hardhat every call sees a base fee of 0.
   */
  #envOf({ header, sealed }: CallView, { gasPrice, maxFeePerGas }: CallRequest): BlockEnv {
    const { engine, hashOf, envs } = this.#deps;
    const { style } = this.#options;
    let known = envs.get(header);
    if (!known) {
      const env = envOf(header, engine, hashOf);
      known = { env, free: env.baseFeePerGas === undefined ? env : { ...env, baseFeePerGas: 0n } };
      envs.set(header, known);
    }
    const isFree = style === 'hardhat' || (sealed && (gasPrice ?? maxFeePerGas ?? 0n) === 0n);
    return isFree ? known.free : known.env;
  }

  #run(message: Message, env: BlockEnv, state: Overlay, options: ExecuteOptions): Awaitable<Executed> {
    const background = this.#deps.pauses ?? turns;
    const { style } = this.#options;
    const rules = style === 'geth' ? CALL_RULES : ANY_PRICE;
    const funded = style === 'hardhat' ? fund(message, state) : undefined;
    const running = andThen(funded, () =>
      this.#deps.engine.execute(message, env, state, rules, { ...options, background }),
    );
    return andThen(running, (outcome) => {
      if (outcome.kind === 'invalid') throw outcome.error;
      return outcome;
    });
  }
}

/** Who watches one run of several. */
interface Watched {
  readonly tracer?: Tracer | undefined;
  /** called when it has ended, with the state that it left, before the next one begins */
  readonly ended?: ((executed: Executed, state: StateView) => Awaitable<void>) | undefined;
}

/** What a call runs with. */
interface Prepared {
  readonly message: Message;
  readonly env: BlockEnv;
  readonly state: Overlay;
  readonly precompiles: Precompiles | undefined;
}

function nonceOf(address: Address, state: Overlay): Awaitable<bigint> {
  return andThen(state.getAccount(address), (account) => account?.nonce ?? 0n);
}

/** Raises the sender's balance to what the message costs. Deposits are skipped, since they mint their value. */
async function fund(message: Message, state: Overlay): Promise<void> {
  if (message.deposit) return;
  const cost = message.value + message.gasLimit * message.maxFeePerGas;
  const balance = (await state.getAccount(message.from))?.balance ?? 0n;
  if (balance < cost) await applyOverrides(state, new Map([[message.from.toString(), { balance: cost }]]));
}

/** @throws DevnetError why a run has failed */
function orItsError<T extends bigint | string>(found: T | FailedRun | undefined): T | undefined {
  if (typeof found === 'object') throw callError(found);
  return found;
}

/** Turns a DevnetError of `task` as {@link asRejected} does. */
function rejecting<T>(task: () => Awaitable<T>): Awaitable<T> {
  const reject = (error: unknown): never => {
    throw error instanceof DevnetError ? asRejected(error) : error;
  };
  try {
    const result = task();
    return result instanceof Promise ? result.catch(reject) : result;
  } catch (error) {
    return reject(error);
  }
}
