import type { EVMResult, PrecompileFunc } from '@ethereumjs/evm';
import { Address, bytesToHex, hexToBytes } from '@ethereumjs/util';
import type { ChainState } from '../state/chain-state.ts';
import { Overlay } from '../state/overlay.ts';
import { type Awaitable, andThen, type StateView } from '../state/view.ts';
import type { Pauses } from '../turns.ts';
import type { BlockMaker, BlockMakerOptions, BlockStart, Opening } from './block-maker.ts';
import type { BlockWriter, WriteOptions } from './block-writer.ts';
import {
  type ConsoleLine,
  type ConsoleOf,
  type OnConsole,
  tellConsole,
  watchConsole,
} from './console-log.ts';
import { type Crypto, recoverAuthority } from './crypto.ts';
import { type RecoverAuthority, setDelegations } from './delegation.ts';
import { DevnetEVM } from './devnet-evm.ts';
import { engineBlock } from './engine-block.ts';
import { type Estimate, type EstimateOptions, searchGas } from './estimate.ts';
import type { Hardfork, HardforkSchedule } from './hardfork.ts';
import { intrinsicGas } from './intrinsic-gas.ts';
import { endOf, listen } from './listen.ts';
import {
  chargedBytes,
  chargeRollup,
  failedDeposit,
  isDeposit,
  mint,
  paymentsOf,
  withNonce,
} from './optimism.ts';
import { OverlayBlockMaker } from './overlay-block-maker.ts';
import { writeStart } from './protocol-writes.ts';
import { rollupFees } from './rollup-fees.ts';
import { callOf, listenerOfAll, type RunListener } from './run-listener.ts';
import { addBalance, charge, NONCE_OVERFLOW, removeDestroyed, settle } from './settlement.ts';
import { SignatureOverrides } from './signature-overrides.ts';
import type { SingleBlock, SingleTransaction } from './single-block.ts';
import { type Frame, FrameRecorder } from './tracers/frames.ts';
import type { BlockEnv, Message, Outcome, Rules } from './types.ts';
import { findViolation, gasCost } from './validity.ts';
import { warm } from './warm.ts';

/** The rules of a transaction in a block. */
export const TRANSACTION_RULES: Rules = {
  nonce: true,
  fees: true,
  baseFee: true,
  sender: true,
  gasCap: true,
  transferLogs: false,
};
/** The rules of `eth_call` and the like: the caller need not sign, so nonce, fees and sender aren't checked. */
export const CALL_RULES: Rules = {
  nonce: false,
  fees: false,
  baseFee: true,
  sender: false,
  gasCap: false,
  transferLogs: false,
};

/** What the tracers of one run listen with. */
export function listenerOf(...tracers: readonly (Tracer | undefined)[]): RunListener | undefined {
  return listenerOfAll(tracers.flatMap((tracer) => tracer?.listener ?? []));
}

/** By address, 40 hex digits without 0x. */
export type Precompiles = Map<string, PrecompileFunc>;

/** Watches one run. One that listens to each step makes it several times as slow. */
export interface Tracer {
  /** absent = it watches nothing */
  readonly listener?: RunListener | undefined;
}

/**
 * Slots that were cold before they were accessed (EIP-2929), by their accounts; and accounts that were, without those that
 * the run created. Both with 0x.
 */
export type Accessed = ReadonlyMap<string, ReadonlySet<string>>;

export interface ExecuteOptions {
  readonly tracer?: Tracer | undefined;
  /**
   * Reports console output and calls to the engine's listeners, when the run has ended; off for trial runs and repetitions.
   * `'failed'`: console output only where the run fails, calls in any case.
   */
  readonly console?: ConsoleOf;
  /** Replaces the hardfork's precompiles; by address (40 hex digits). */
  readonly precompiles?: Precompiles | undefined;
  /** Receives what got warm in the run. */
  readonly onAccessList?: ((accessed: Accessed) => void) | undefined;
  /** Pauses for other work when the time slice is used up. For runs that no tick waits for. */
  readonly background?: Pauses | undefined;
  /** Nobody reads the state afterwards: nothing is written to it, so it needn't be an {@link Overlay}. */
  readonly discards?: boolean;
  /** Numbers logs as geth's simulation does: logs of reverted frames leave gaps. */
  readonly numberLogs?: boolean;
}

export interface EngineDeps {
  readonly schedule: HardforkSchedule;
  readonly crypto: Pick<Crypto, 'ecrecover' | 'recover'>;
  /** absent = none yet */
  readonly signatures?: SignatureOverrides;
  /** receives each line that contracts print with console.log; absent = nothing is decoded */
  readonly onConsole?: OnConsole | undefined;
  /** receives the calls of each run, as the outermost frame; absent = nothing is recorded */
  readonly onTrace?: ((root: Frame) => void) | undefined;
}

/** Executes messages, for blocks, calls, simulations, traces and replay. Runs on different overlays may overlap. */
export class Engine {
  readonly schedule: HardforkSchedule;
  /** applies to all runs from now on */
  readonly signatures: SignatureOverrides;
  readonly #recoverAuthority: RecoverAuthority;
  /** weakly, since each `anvil_setChainId` makes new hardforks */
  readonly #idle = new WeakMap<Hardfork, DevnetEVM[]>();
  readonly #onConsole: OnConsole | undefined;
  readonly #onTrace: ((root: Frame) => void) | undefined;

  constructor(deps: EngineDeps) {
    this.schedule = deps.schedule;
    this.signatures = deps.signatures ?? new SignatureOverrides();
    this.#recoverAuthority = (tuple) => recoverAuthority(tuple, deps.crypto);
    this.#onConsole = deps.onConsole;
    this.#onTrace = deps.onTrace;
  }

  /** @param block its environment or header */
  hardforkOf(block: Pick<BlockEnv, 'number' | 'timestamp' | 'difficulty'>): Hardfork {
    return this.schedule.at(block.number, block.timestamp, block.difficulty);
  }

  /**
   * Makes a block of one signed transaction, or of none, in one step: without withdrawals, and by the rules of Cancun or later.
   * @returns `undefined` when this engine can't, or when the transaction can't be in the block: nothing has changed then
   */
  singleBlock(
    _parent: StateView,
    _start: BlockStart,
    _transaction: SingleTransaction | undefined,
  ): Awaitable<SingleBlock | undefined> {
    return undefined;
  }

  /**
   * Finds the least gas limit with which a message succeeds, to within 1.5 %. Nothing is written.
   * @param most the highest one
   */
  estimate(
    message: Message,
    most: bigint,
    env: BlockEnv,
    state: StateView,
    rules: Rules,
    { anyoneTransfers = false, console = false, precompiles, background }: EstimateOptions = {},
  ): Awaitable<Estimate> {
    let tries = 0;
    const run = async (tried: Message) => {
      // The first attempt has the most gas, but for a plain transfer, which prints nothing.
      const of = tries++ === 0 && console;
      return this.execute(tried, env, state, rules, { console: of, precompiles, background, discards: true });
    };
    return searchGas(message, most, state, run, anyoneTransfers);
  }

  /** The state in which the transactions and calls of a block begin: what the protocol writes before them is written. */
  opened({ state, start }: Opening): Awaitable<StateView> {
    const opened = new Overlay(state);
    return andThen(writeStart(start, opened, this), () => opened);
  }

  /** A copy of the hardfork's precompiles, which the caller may change. */
  precompiles(env: BlockEnv): Precompiles {
    const hardfork = this.hardforkOf(env);
    const evm = this.#take(hardfork);
    this.#give(hardfork, evm);
    return new Map(evm.forkPrecompiles);
  }

  /**
   * Executes a message as a transaction: rules, fees, nonce, code, refunds, coinbase (yellow paper section 6).
   * @param state an {@link Overlay}, except where `options.discards` is true: it receives the writes when the outcome is `executed`, and is
   * untouched when it is `invalid`
   * @returns a promise where something has to be waited for
   */
  execute(
    message: Message,
    env: BlockEnv,
    state: StateView,
    rules: Rules,
    options: ExecuteOptions = {},
  ): Awaitable<Outcome> {
    return this.#execute(message, env, state, rules, options);
  }

  async #execute(
    given: Message,
    env: BlockEnv,
    state: StateView,
    rules: Rules,
    options: ExecuteOptions,
  ): Promise<Outcome> {
    const { optimism } = this.schedule;
    const deposit = optimism && isDeposit(given) ? await withNonce(given, state) : undefined;
    const message = deposit ?? given;
    const hardfork = this.hardforkOf(env);
    const intrinsic = intrinsicGas(message, hardfork);
    const cost = gasCost(message, env, hardfork);
    const bytes = optimism && !deposit ? chargedBytes(message, rules) : undefined;
    const rollup = bytes && (await rollupFees(bytes, state));
    const error = deposit
      ? undefined
      : await findViolation(message, env, state, rules, hardfork, cost, intrinsic, rollup);
    if (error) return { kind: 'invalid', error };

    const run = new Overlay(state);
    return this.#with(hardfork, env, run, async (evm) => {
      evm.transferLogs = rules.transferLogs;
      evm.turns = options.background;
      evm.usePrecompiles(options.precompiles);
      evm.logNumbers = options.numberLogs ? new Map() : undefined;
      const frames = options.console && this.#onTrace ? new FrameRecorder() : undefined;
      const watching: (() => void)[] = [];
      const listener = listenerOf(options.tracer, frames);
      if (listener)
        watching.push(
          listen(evm, listener, {
            ...{ message, env, hardfork, before: state, now: run, pauses: options.background },
            precompiles: () => [...evm.forkPrecompiles.keys()],
          }),
        );
      const lines: ConsoleLine[] = [];
      if (options.console && this.#onConsole) watching.push(watchConsole(evm, lines));
      const tell = (failed: boolean) => {
        if (lines.length > 0)
          tellConsole(lines.splice(0), { of: options.console!, failed }, this.#onConsole!);
      };
      try {
        const fault = deposit && (await mint(run, deposit, hardfork, intrinsic));
        // A call reports the fault as an error; in a block the deposit is included and has failed.
        if (fault && !rules.nonce) return { kind: 'invalid', error: fault };
        if (fault) {
          listener?.refuse?.(fault.message);
          await charge(run, message, cost);
          if (!options.discards) (state as Overlay).apply(run.writes());
          return failedDeposit(deposit, fault);
        }
        if (options.onAccessList) evm.journal.startReportingAccessList();
        await warm(evm, message, env, hardfork);
        const canRun = await charge(run, message, cost);
        if (rollup) await chargeRollup(run, message, rollup);
        let refund = 0n;
        if (message.authorizationList) {
          refund = await setDelegations(
            message.authorizationList,
            run,
            hardfork,
            this.schedule.chainId,
            this.#recoverAuthority,
            (authority) => {
              evm.journal.addAlwaysWarmAddress(authority.toString());
              listener?.touches?.account(authority);
            },
          );
        }
        if (!canRun) listener?.calls?.begin(callOf(message, message.gasLimit - intrinsic.gas));
        const result = canRun
          ? await this.#call(evm, message, env, message.gasLimit - intrinsic.gas, cost.gasPrice)
          : NONCE_OVERFLOW;
        if (!canRun) listener?.calls?.end(endOf(NONCE_OVERFLOW.execResult, false));
        const executed = await settle(
          run,
          message,
          env,
          hardfork,
          cost,
          intrinsic,
          refund,
          result,
          evm.logNumbers,
        );
        if (optimism)
          for (const { to, wei } of paymentsOf(message, executed, cost, rollup))
            if (wei > 0n) await addBalance(run, to, wei);
        options.onAccessList?.(accessedIn(evm, result.execResult.createdAddresses));
        await removeDestroyed(run, hardfork, result);
        // Touched accounts that are empty are deleted (EIP-161); the coinbase counts as touched.
        await evm.journal.putAccount(env.coinbase, await evm.stateManager.getAccount(env.coinbase));
        await evm.journal.cleanup();
        if (!options.discards) (state as Overlay).apply(run.writes());
        tell(!executed.success);
        if (frames) this.#onTrace?.(frames.root);
        return deposit ? { ...executed, depositNonce: deposit.nonce } : executed;
      } finally {
        for (const end of watching) end();
        // Those of a run that something ended from outside, such as its time limit.
        tell(true);
      }
    });
  }

  /** @param state what the blocks are made on; a {@link ChainState} where they get state roots */
  blockMaker(state: StateView, options: BlockMakerOptions): BlockMaker {
    return new OverlayBlockMaker(state, options, this);
  }

  /** What writes simulated blocks; `undefined` where this engine makes them as objects only, which is decided when it is opened. */
  blockWriter(_state: StateView, _options: WriteOptions): BlockWriter | undefined {
    return undefined;
  }

  /** What a run in the background has to wait for before it begins, where too many are under way; `undefined` otherwise. */
  get free(): Promise<void> | undefined {
    return undefined;
  }

  /** To be called when the chain goes on from an earlier state, which is stored: the next runs will be on that one. */
  returnTo(_state: ChainState): void {}

  /** Does ahead what the first run would have to wait for: a few milliseconds. */
  prepare(): void {}

  /** To be called when nothing long runs any more: drops what can be made again when it is needed. */
  rest(): void {}

  /** To be called when the chain has ended: gives back what another chain of this process can use. */
  close(): void {}

  /**
   * A system call at the start or end of a block (EIP-4788, 2935, 7002, 7251): no fees, no nonce, 30M gas of its own.
   * @returns the contract's return data; `undefined` when the call failed, which leaves the state unchanged
   */
  async systemCall(
    to: Address,
    data: Uint8Array,
    env: BlockEnv,
    state: Overlay,
  ): Promise<Uint8Array | undefined> {
    const hardfork = this.hardforkOf(env);
    const run = new Overlay(state);
    return this.#with(hardfork, env, run, async (evm) => {
      evm.transferLogs = false;
      evm.turns = undefined;
      evm.logNumbers = undefined;
      evm.usePrecompiles();
      const { execResult } = await evm.runCall({
        block: engineBlock(env).block,
        caller: SYSTEM_ADDRESS,
        to,
        data,
        gasLimit: 30_000_000n,
        gasPrice: 0n,
        skipNonceIncrement: true,
      });
      await evm.journal.cleanup();
      if (execResult.exceptionError) return undefined;
      state.apply(run.writes());
      return execResult.returnValue;
    });
  }

  /** Runs `use` with an EVM over `run`. If `use` throws, the EVM isn't reused: it may have stopped halfway. */
  async #with<T>(
    hardfork: Hardfork,
    env: BlockEnv,
    run: Overlay,
    use: (evm: DevnetEVM) => Promise<T>,
  ): Promise<T> {
    const evm = this.#take(hardfork);
    evm.stateManager.overlay = run;
    evm.blockchain = engineBlock(env).blockchain;
    const result = await use(evm);
    this.#give(hardfork, evm);
    return result;
  }

  #call(
    evm: DevnetEVM,
    message: Message,
    env: BlockEnv,
    gasLimit: bigint,
    gasPrice: bigint,
  ): Promise<EVMResult> {
    const blobs = message.blobVersionedHashes?.map((hash) => bytesToHex(hash));
    return evm.runCall({
      block: engineBlock(env).block,
      gasPrice,
      caller: message.from,
      gasLimit,
      ...(message.to && { to: message.to }),
      value: message.value,
      data: message.data,
      ...(blobs && { blobVersionedHashes: blobs }),
      skipNonceIncrement: true,
    });
  }

  #take(hardfork: Hardfork): DevnetEVM {
    const evm = this.#idle.get(hardfork)?.pop();
    return evm ?? new DevnetEVM({ hardfork, signatures: this.signatures });
  }

  #give(hardfork: Hardfork, evm: DevnetEVM): void {
    evm.stateManager.release();
    const idle = this.#idle.get(hardfork);
    if (!idle) this.#idle.set(hardfork, [evm]);
    else if (idle.length < POOL_SIZE) idle.push(evm);
  }
}

/** What the journal has reported, whose keys have no 0x. */
function accessedIn({ journal }: DevnetEVM, created: ReadonlySet<string> = new Set()): Accessed {
  const reported = [...(journal.accessList ?? [])].filter(
    ([address, slots]) => slots.size > 0 || !created.has(`0x${address}`),
  );
  return new Map(
    reported.map(([address, slots]) => [`0x${address}`, new Set([...slots].map((slot) => `0x${slot}`))]),
  );
}

/** Idle EVMs kept per hardfork. When more runs overlap, each makes an EVM of its own. */
const POOL_SIZE = 16;
/** EIP-4788 */
const SYSTEM_ADDRESS = new Address(hexToBytes('0xfffffffffffffffffffffffffffffffffffffffe'));
