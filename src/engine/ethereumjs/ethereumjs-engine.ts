import { type Address, equalsBytes, MAX_UINT64 } from '@ethereumjs/util';
import { createVM, type RunTxResult, runTx, type VM } from '@ethereumjs/vm';
import { DevnetError } from '../../errors.ts';
import { type ConsoleLine, consoleLineOf, type OnConsole, tellConsole } from '../../protocol/console-log.ts';
import type { Hardfork, HardforkSchedule } from '../../protocol/hardfork.ts';
import { intrinsicGas } from '../../protocol/intrinsic-gas.ts';
import {
  chargedBytes,
  chargeRollup,
  countNonce,
  DEPOSIT_RULES,
  depositFault,
  failedDeposit,
  isDeposit,
  mint,
  paymentsOf,
  withNonce,
} from '../../protocol/op-stack/optimism.ts';
import { type RollupFees, rollupFees } from '../../protocol/op-stack/rollup-fees.ts';
import { SignatureOverrides } from '../../protocol/signature-overrides.ts';
import { slotStateGas } from '../../protocol/state-gas.ts';
import { SYSTEM_ADDRESS } from '../../protocol/system-contracts.ts';
import type { BlockEnv, Executed, Message, Outcome, Rules } from '../../protocol/types.ts';
import { findViolation, gasCost, rejected } from '../../protocol/validity.ts';
import { addBalance } from '../../state/add-balance.ts';
import { addressOfKey, hexKey } from '../../state/hex-key.ts';
import { Overlay } from '../../state/overlay.ts';
import {
  type AccountState,
  type Awaitable,
  andThen,
  type StateView,
  type StateWrites,
} from '../../state/view.ts';
import {
  type Accessed,
  type Engine,
  type EngineDeps,
  type ExecuteOptions,
  listenerOf,
  type Precompiles,
} from '../engine.ts';
import { type Attempt, type Estimate, type EstimateOptions, searchGas } from '../estimate.ts';
import { activePrecompiles } from '../precompiles.ts';
import type { Touched } from '../touched.ts';
import { type Frame, FrameRecorder } from '../tracers/frames.ts';
import type { Opening, Workspace, WorkspaceOptions } from '../workspace.ts';
import { DevnetEVM } from './devnet-evm.ts';
import { libraryEnv } from './library-env.ts';
import { libraryTransaction, marketOf } from './library-transaction.ts';
import { listen } from './listen.ts';
import { LogCollector } from './log-collector.ts';
import { executedOf } from './outcome.ts';
import { OverlayWorkspace } from './overlay-workspace.ts';
import { writeStart } from './protocol-writes.ts';

/** Executes everything by `runTx` of `@ethereumjs/vm`. */
export class EthereumjsEngine implements Engine {
  readonly schedule: HardforkSchedule;
  /** applies to all later runs */
  readonly signatures: SignatureOverrides;
  /** idle VMs; a WeakMap, since each `anvil_setChainId` makes new hardforks */
  readonly #idle = new WeakMap<Hardfork, DevnetVM[]>();
  readonly #onConsole: OnConsole | undefined;
  readonly #onTrace: ((root: Frame) => void) | undefined;

  /** whether its workspaces count the opcodes that transactions run */
  readonly counts: boolean;

  constructor(deps: EngineDeps) {
    this.counts = deps.counts ?? false;
    this.schedule = deps.schedule;
    this.signatures = deps.signatures ?? new SignatureOverrides();
    this.#onConsole = deps.onConsole;
    this.#onTrace = deps.onTrace;
  }

  hardforkOf(block: Pick<BlockEnv, 'number' | 'timestamp' | 'difficulty'>): Hardfork {
    return this.schedule.at(block.number, block.timestamp, block.difficulty);
  }

  estimate(
    message: Message,
    most: bigint,
    env: BlockEnv,
    state: StateView,
    rules: Rules,
    { anyoneTransfers = false, console = false, precompiles, background }: EstimateOptions = {},
  ): Awaitable<Estimate> {
    let tries = 0;
    const run = async (tried: Message): Promise<Attempt> => {
      let stateGasReturned = 0n;
      const outcome = await this.execute(tried, env, state, rules, {
        // Only the first attempt prints: it has the most gas. (The attempt for a plain transfer runs no code.)
        console: tries++ === 0 && console,
        ...{ precompiles, background, discards: true },
        onStateGasReturned: (gas) => {
          stateGasReturned = gas;
        },
      });
      return { outcome, stateGasReturned };
    };
    return searchGas(message, most, state, this.hardforkOf(env), run, anyoneTransfers);
  }

  stateAtStart({ state, start }: Opening): Awaitable<StateView> {
    const opened = new Overlay(state);
    return andThen(writeStart(start, opened, this), () => opened);
  }

  precompiles(env: BlockEnv): Precompiles {
    return activePrecompiles(this.hardforkOf(env));
  }

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
    const hardfork = this.hardforkOf(env);
    const deposit = optimism && isDeposit(given) ? await withNonce(given, state) : undefined;
    const message = deposit ?? given;
    const bytes = optimism && !deposit ? chargedBytes(message, rules) : undefined;
    const rollup = bytes && (await rollupFees(bytes, state));
    const run = new Overlay(state);
    return this.#with(hardfork, run, async (vm) => {
      const { evm } = vm;
      evm.prepare({
        block: libraryEnv(env),
        turns: options.background,
        precompiles: options.precompiles,
        overflowsNonce: !rules.nonce && !message.to && (await nonceOf(message.from, state)) === MAX_UINT64,
      });
      const frames = options.console && this.#onTrace ? new FrameRecorder() : undefined;
      const collects = options.numberLogs || rules.transferLogs;
      const collector = collects ? new LogCollector(rules.transferLogs, hardfork) : undefined;
      const listener = listenerOf(options.tracer, frames, collector && { listener: collector });
      if (listener)
        listen(evm, listener, {
          ...{ message, env, hardfork, before: state, now: run, pauses: options.background },
          precompiles: () => [...evm.precompiles.keys()],
        });
      const lines: ConsoleLine[] = [];
      if (options.console && this.#onConsole)
        evm.events.on('beforeMessage', ({ to, caller, data }) => {
          const line = consoleLineOf({ to, data, from: caller });
          // Includes the lines of frames that revert later.
          if (line) lines.push(line);
        });
      const tell = (failed: boolean) => {
        if (lines.length > 0)
          tellConsole(lines.splice(0), { of: options.console!, failed }, this.#onConsole!);
      };
      try {
        if (deposit) await mint(run, deposit);
        const ran = await this.#run(vm, message, env, run, { rules, rollup, options });
        if (ran instanceof Error) {
          if (!deposit)
            return {
              kind: 'invalid',
              error: await refusal(ran, message, env, state, rules, hardfork, rollup),
            };
          const error = (await depositFault(deposit, run, hardfork)) ?? refused(ran);
          // In a call the fault is returned as an error. In a block the deposit is included, as a failed transaction.
          if (!rules.nonce) return { kind: 'invalid', error };
          listener?.refuse?.(error.message);
          await countNonce(run, message.from);
          if (!options.discards) (state as Overlay).apply(run.writes());
          return failedDeposit(deposit, error);
        }
        const { accessed } = ran;
        const executed = collector ? withLogs(ran.executed, collector, options) : ran.executed;
        if (optimism)
          for (const { to, wei } of paymentsOf(message, executed, gasCost(message, env, hardfork), rollup))
            if (wei > 0n) await addBalance(run, to, wei);
        options.onAccessList?.(accessed);
        if (!options.discards) (state as Overlay).apply(run.writes());
        tell(!executed.success);
        if (frames) this.#onTrace?.(frames.root);
        return deposit ? { ...executed, depositNonce: deposit.nonce } : executed;
      } finally {
        // Reports the lines of a run that was aborted from outside, for example by its time limit.
        tell(true);
      }
    });
  }

  /**
   * Runs a message by the library's `runTx`.
   * @returns the library's error if the message breaks a rule and nothing has run
   */
  async #run(
    vm: DevnetVM,
    message: Message,
    env: BlockEnv,
    run: Overlay,
    { rules: given, rollup, options }: RunOptions,
  ): Promise<{ executed: Executed; accessed: Accessed } | Error> {
    const { evm } = vm;
    const hardfork = this.hardforkOf(env);
    const { deposit } = message;
    if (deposit && (!this.schedule.optimism || deposit.isSystemTransaction))
      return new Error('the chain has no such deposits');
    const rules = deposit ? { ...given, ...DEPOSIT_RULES } : given;
    try {
      const tx = libraryTransaction(message, hardfork, rules);
      if (rollup && !(await chargeRollup(run, message, rollup)))
        return new Error('insufficient funds for the fees of L1');
      if (!rules.sender) evm.stateManager.hideCodeOnce();
      const result = await runTx(vm, {
        tx,
        block: marketOf(libraryEnv(env).block, message, rules) as never,
        skipNonce: !rules.nonce,
        skipBlockGasLimitValidation: true,
        skipHardForkValidation: true,
        reportAccessList: options.onAccessList !== undefined,
      });
      if (!evm.hasBegun) {
        const { from: caller, to, data, value } = message;
        const gasLimit = result.execResult.executionGasUsed;
        evm.tellFailed({ caller, data, value, gasLimit, ...(to && { to }) }, result);
      }
      if (options.touched) evm.addTouched(options.touched);
      options.onStateGasReturned?.(evm.stateGasReturned);
      return {
        executed: executedOf(result, tx, hardfork, evm),
        accessed: accessedIn(result, message),
      };
    } catch (error) {
      // A DevnetError means that state of a forked chain couldn't be fetched.
      if (evm.hasBegun || error instanceof DevnetError) throw error;
      return error as Error;
    }
  }

  workspace(state: StateView, options: WorkspaceOptions): Workspace {
    return new OverlayWorkspace(state, options, this);
  }

  /** Returns none: this engine makes simulated blocks as objects. */
  simulationWriter(): undefined {
    return undefined;
  }

  get whenFree(): undefined {
    return undefined;
  }

  /** Does nothing: between runs only idle VMs are kept. */
  returnTo(): void {}

  computeRoot(): void {}
  prepare(): void {}
  dropCaches(): void {}
  close(): void {}

  /**
   * Runs a system call at the start or end of a block (EIP-4788, 2935, 7002, 7251, 8282): without fees and nonce, with its own gas limit.
   * @param touched receives the accounts and slots that the call accesses
   * @returns the contract's return data; `undefined` when the call failed, which leaves the state unchanged
   */
  async systemCall(
    to: Address,
    data: Uint8Array,
    env: BlockEnv,
    state: Overlay,
    touched: Touched,
  ): Promise<Uint8Array | undefined> {
    const hardfork = this.hardforkOf(env);
    const run = new Overlay(state);
    return this.#with(hardfork, run, async ({ evm }) => {
      evm.prepare({ block: libraryEnv(env) });
      evm.stateGasReservoir = systemStateGas(hardfork);
      const { execResult } = await evm.runCall({
        caller: SYSTEM_ADDRESS,
        to,
        data,
        gasLimit: 30_000_000n,
        skipNonceIncrement: true,
      });
      await evm.journal.cleanup();
      // EIP-7928: the call itself doesn't count as an access of the caller.
      evm.addTouched(touched, SYSTEM_ADDRESS.toString());
      if (execResult.exceptionError) return undefined;
      state.apply(await withoutUnchanged(run.writes(), state));
      return execResult.returnValue;
    });
  }

  /** Runs `use` with a VM on the overlay `run`. If `use` throws, the VM isn't reused, since its run may be incomplete. */
  async #with<T>(hardfork: Hardfork, run: Overlay, use: (vm: DevnetVM) => Promise<T>): Promise<T> {
    let idle = this.#idle.get(hardfork);
    if (!idle) {
      idle = [];
      this.#idle.set(hardfork, idle);
    }
    const vm = idle.pop() ?? (await newVm(hardfork, this.signatures));
    vm.evm.stateManager.overlay = run;
    const result = await use(vm);
    vm.evm.release();
    if (idle.length < POOL_SIZE) idle.push(vm);
    return result;
  }
}

/**
 * Removes accounts that didn't change. The library writes the caller and the callee of each call in any case, but a system call doesn't
 * touch its callee (EIP-4788), and in the tries of a forked chain each written account counts as a difference.
 */
async function withoutUnchanged(writes: StateWrites, state: Overlay): Promise<StateWrites> {
  const accounts = new Map<string, AccountState | undefined>();
  for (const [key, account] of writes.accounts) {
    const before = await state.getAccount(addressOfKey(key));
    const isSame =
      before && account
        ? before.nonce === account.nonce &&
          before.balance === account.balance &&
          equalsBytes(before.codeHash, account.codeHash)
        : before === account;
    if (!isSame) accounts.set(key, account);
  }
  return { ...writes, accounts };
}

/** EthereumJS's VM, which runs transactions, with {@link DevnetEVM} as its EVM. */
type DevnetVM = VM & { readonly evm: DevnetEVM };

async function newVm(hardfork: Hardfork, signatures: SignatureOverrides): Promise<DevnetVM> {
  const { common, overrides: params } = hardfork;
  const evm = new DevnetEVM({ hardfork, signatures });
  const vm = await createVM({
    common,
    params,
    evm,
    stateManager: evm.stateManager,
    blockchain: evm.blockchain as never,
  });
  return vm as DevnetVM;
}

interface RunOptions {
  readonly rules: Rules;
  readonly rollup: RollupFees | undefined;
  readonly options: ExecuteOptions;
}

/** The reason why the library rejected a message, in geth's words if devnet knows the rule. */
async function refusal(
  error: Error,
  message: Message,
  env: BlockEnv,
  state: StateView,
  rules: Rules,
  hardfork: Hardfork,
  rollup: RollupFees | undefined,
): Promise<DevnetError> {
  const cost = gasCost(message, env, hardfork);
  const intrinsic = intrinsicGas(message, hardfork);
  const known = await findViolation(message, env, state, rules, hardfork, cost, intrinsic, rollup);
  return known ?? refused(error);
}

/** The library's message, without the block and the transaction that the library appends. */
function refused({ message }: Error): DevnetError {
  return rejected(message.split(' (vm hf=', 1)[0]!);
}

/** An outcome with the logs in the form that simulations need. */
function withLogs(
  executed: Executed,
  collector: LogCollector,
  { numberLogs = false }: ExecuteOptions,
): Executed {
  const logs = executed.success ? collector.logs(numberLogs) : [];
  return { ...executed, logs, ...(numberLogs && { emittedLogs: collector.count }) };
}

/** The access list that the library reports, without the entries of the message's own access list and the accounts that the run created. */
function accessedIn({ accessList = [], execResult }: RunTxResult, message: Message): Accessed {
  const listed = new Map<string, Set<string>>();
  for (const { address, storageKeys } of message.accessList) {
    const slots = listed.get(address.toString()) ?? new Set();
    listed.set(address.toString(), slots);
    for (const key of storageKeys) slots.add(hexKey(key));
  }
  const accessed = new Map<string, ReadonlySet<string>>();
  for (const { address, storageKeys } of accessList) {
    const own = listed.get(address);
    const slots = new Set(own ? storageKeys.filter((slot) => !own.has(slot)) : storageKeys);
    if (slots.size > 0 || !(own || execResult.createdAddresses?.has(address))) accessed.set(address, slots);
  }
  return accessed;
}

/** State gas of a system call (EIP-8037): enough for 16 slots. */
function systemStateGas(hardfork: Hardfork): bigint {
  return hardfork.has(8037) ? 16n * slotStateGas(hardfork.common) : 0n;
}

async function nonceOf(address: Address, state: StateView): Promise<bigint> {
  return (await state.getAccount(address))?.nonce ?? 0n;
}

/** Number of idle VMs kept per hardfork. If more runs overlap, each makes its own VM. */
const POOL_SIZE = 16;
