import type { BlockView } from '../chain/block.ts';
import { envOf } from '../chain/block-env.ts';
import { asRejected, DevnetError } from '../errors.ts';
import { CALL_RULES, type Engine, type ExecuteOptions, type Precompiles } from '../evm/engine.ts';
import { intrinsicGas } from '../evm/intrinsic-gas.ts';
import type { GasWatch } from '../evm/least-gas.ts';
import type { AccessList, BlockEnv, Executed, Message } from '../evm/types.ts';
import { TRANSACTION_GAS_CAP } from '../evm/validity.ts';
import { Overlay } from '../state/overlay.ts';
import { applyOverrides } from '../state/overrides.ts';
import { searchAccessList } from './access-list.ts';
import { type CallRequest, toMessage, ZERO_ADDRESS } from './call-request.ts';
import { estimateGas } from './estimate.ts';
import { estimateAsHardhat } from './estimate-as-hardhat.ts';
import { applyStateOverrides, type BlockOverrides, overrideEnv, type StateOverrides } from './overrides.ts';

/**
 * What nodes do otherwise in calls and estimates. geth wants the sender to have what a message spends. To anvil a plain transfer
 * takes 21,000 gas whoever sends it. Hardhat gives the sender what it lacks, and searches the least gas in its own way.
 */
export type CallStyle = 'geth' | 'anvil' | 'hardhat';

export interface CallerOptions {
  /** gas that a call gets where it doesn't say, and at most */
  readonly gasLimit: bigint;
  /** whether estimates keep to EIP-7825's cap on one transaction */
  readonly gasCap: boolean;
  readonly style: CallStyle;
}

export interface CallerDeps {
  readonly engine: Engine;
  readonly hashOf: BlockEnv['blockHash'];
}

const TRANSFER_GAS = 21_000n;

/** What a call sees besides the block. */
export interface CallOverrides {
  readonly state?: StateOverrides;
  readonly block?: BlockOverrides;
}

/** `eth_call` and its like: runs messages on a view and throws the writes away. */
export class Caller {
  readonly #gasLimit: bigint;
  readonly #gasCap: boolean;
  readonly #style: CallStyle;
  readonly #deps: CallerDeps;

  constructor(options: CallerOptions, deps: CallerDeps) {
    this.#gasLimit = options.gasLimit;
    this.#gasCap = options.gasCap;
    this.#style = options.style;
    this.#deps = deps;
  }

  /** @throws DevnetError when the message can't be run at all; a revert or halt is an outcome */
  async call(
    view: BlockView,
    request: CallRequest,
    overrides: CallOverrides = {},
    options?: ExecuteOptions,
  ): Promise<Executed> {
    const { message, env, state, precompiles } = await this.#prepare(view, request, overrides);
    return rejecting(
      this.#run(message, env, state, {
        console: !options?.tracer,
        ...options,
        ...(precompiles && { precompiles }),
      }),
    );
  }

  /** Calls one after the other, each on what those before it wrote. Account overrides hold from the first on. */
  async callInSequence(
    view: BlockView,
    calls: readonly { readonly request: CallRequest; readonly block?: BlockOverrides }[],
    overrides?: StateOverrides,
  ): Promise<Executed[]> {
    const written = new Overlay(view.state);
    let moved: Precompiles | undefined;
    const results: Executed[] = [];
    for (const [i, { request, block }] of calls.entries()) {
      const { message, env, state, precompiles } = await this.#prepare({ ...view, state: written }, request, {
        ...(i === 0 && overrides && { state: overrides }),
        ...(block && { block }),
      });
      moved = precompiles ?? moved;
      results.push(await rejecting(this.#run(message, env, state, moved ? { precompiles: moved } : {})));
      written.apply(state.writes());
    }
    return results;
  }

  /** The least gas with which the call succeeds. @throws DevnetError 3 with the revert's data, -32000 when none is enough */
  async estimateGas(view: BlockView, request: CallRequest, overrides: CallOverrides = {}): Promise<bigint> {
    const { message, env, state, precompiles } = await this.#prepare(view, request, overrides);
    const options = precompiles ? { precompiles } : {};
    const asked = request.gas !== undefined && request.gas >= TRANSFER_GAS ? request.gas : env.gasLimit;
    let most = this.#capped(asked, env);
    if (most > this.#gasLimit) most = this.#gasLimit;
    let first = true;
    const run = (tried: Message, watch?: GasWatch) => {
      // Of the attempts the first one tells what the call prints.
      const attempt = { ...options, console: first, ...(watch && { tracer: watch }) };
      first = false;
      return this.#run(tried, env, new Overlay(state), attempt);
    };
    if (this.#style === 'hardhat') {
      const { gas: intrinsic } = intrinsicGas(message, this.#deps.engine.hardforkOf(env));
      return rejecting(estimateAsHardhat(message, { intrinsic, most }, run));
    }
    return rejecting(estimateGas(message, most, state, run, { anyoneTransfers: this.#style === 'anvil' }));
  }

  /** The most gas that a transaction may ask for in the block. */
  mostGas({ header }: BlockView): bigint {
    const { engine, hashOf } = this.#deps;
    const hardfork = engine.schedule.at(header.number, header.timestamp, header.difficulty);
    return this.#capped(header.gasLimit, envOf(header, hardfork, hashOf));
  }

  #capped(gas: bigint, env: BlockEnv): bigint {
    const capped = this.#gasCap && this.#deps.engine.hardforkOf(env).has(7825);
    return capped && gas > TRANSACTION_GAS_CAP ? TRANSACTION_GAS_CAP : gas;
  }

  /** The access list that the call would profit from (EIP-2930), and the gas it uses with it. */
  async createAccessList(
    view: BlockView,
    request: CallRequest,
    overrides: CallOverrides = {},
  ): Promise<{ accessList: AccessList; executed: Executed }> {
    const { message, env, state, precompiles } = await this.#prepare(view, request, overrides);
    const warm = new Set(
      [message.from, ...(message.to ? [message.to] : [])].map((address) => address.toString().slice(2)),
    );
    for (const address of this.#deps.engine.precompiles(env).keys()) warm.add(address);
    return rejecting(
      searchAccessList(message, warm, (tried, onAccessList) =>
        this.#run(tried, env, new Overlay(state), { onAccessList, ...(precompiles && { precompiles }) }),
      ),
    );
  }

  async #prepare(view: BlockView, request: CallRequest, overrides: CallOverrides) {
    const { engine, hashOf } = this.#deps;
    const hardfork = engine.schedule.at(view.header.number, view.header.timestamp, view.header.difficulty);
    const env = overrideEnv(callEnv(view, request, envOf(view.header, hardfork, hashOf)), overrides.block);
    const state = new Overlay(view.state);
    let precompiles: Precompiles | undefined;
    if (overrides.state?.size)
      precompiles = await applyStateOverrides(state, overrides.state, engine.precompiles(env));
    const nonce = request.nonce ?? (await state.getAccount(request.from ?? ZERO_ADDRESS))?.nonce ?? 0n;
    const gas = request.gas === undefined || request.gas > this.#gasLimit ? this.#gasLimit : request.gas;
    const message = toMessage({ ...request, gas }, { gas, nonce, chainId: engine.schedule.chainId });
    if (this.#style === 'hardhat') await fund(message, state);
    return { message, env, state, precompiles };
  }

  async #run(message: Message, env: BlockEnv, state: Overlay, options: ExecuteOptions): Promise<Executed> {
    const outcome = await this.#deps.engine.execute(message, env, state, CALL_RULES, {
      ...options,
      background: true,
    });
    if (outcome.kind === 'invalid') throw outcome.error;
    return outcome;
  }
}

/** Gives the sender what the message spends, where it has less; a deposit brings its own. */
async function fund(message: Message, state: Overlay): Promise<void> {
  if (message.deposit) return;
  const cost = message.value + message.gasLimit * message.maxFeePerGas;
  const balance = (await state.getAccount(message.from))?.balance ?? 0n;
  if (balance < cost) await applyOverrides(state, new Map([[message.from.toString(), { balance: cost }]]));
}

/** See {@link asRejected}. */
async function rejecting<T>(task: Promise<T>): Promise<T> {
  try {
    return await task;
  } catch (error) {
    throw error instanceof DevnetError ? asRejected(error) : error;
  }
}

/**
 * On a sealed block a call that offers no fee sees a base fee of 0, as in geth: nothing may be worth less than the base
 * fee. At `pending` it sees that of the block being built (SPEC 2).
 */
function callEnv({ sealed }: BlockView, request: CallRequest, env: BlockEnv): BlockEnv {
  const offered = request.gasPrice ?? request.maxFeePerGas ?? 0n;
  if (!sealed || offered > 0n || env.baseFeePerGas === undefined) return env;
  return { ...env, baseFeePerGas: 0n };
}
