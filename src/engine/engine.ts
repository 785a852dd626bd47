import type { PrecompileFunc } from '@ethereumjs/evm';
import type { ConsoleOf, OnConsole } from '../protocol/console-log.ts';
import type { Crypto } from '../protocol/crypto.ts';
import type { Hardfork, HardforkSchedule } from '../protocol/hardfork.ts';
import type { SignatureOverrides } from '../protocol/signature-overrides.ts';
import type { BlockEnv, Message, Outcome, Rules } from '../protocol/types.ts';
import type { ChainState } from '../state/chain-state.ts';
import type { Awaitable, StateView } from '../state/view.ts';
import type { Pauses } from '../turns.ts';
import type { Estimate, EstimateOptions } from './estimate.ts';
import { listenerOfAll, type RunListener } from './run-listener.ts';
import type { SimulationWriter, WriteOptions } from './simulation-writer.ts';
import type { Touched } from './touched.ts';
import type { Frame } from './tracers/frames.ts';
import type { Opening, Workspace, WorkspaceOptions } from './workspace.ts';

/** The rules of a transaction in a block. */
export const TRANSACTION_RULES: Rules = {
  nonce: true,
  fees: true,
  baseFee: true,
  sender: true,
  gasCap: true,
  transferLogs: false,
};
/** The rules of `eth_call` and similar methods: the caller need not sign, so nonce, fees and sender aren't checked. */
export const CALL_RULES: Rules = {
  nonce: false,
  fees: false,
  baseFee: true,
  sender: false,
  gasCap: false,
  transferLogs: false,
};

/** One listener for the tracers of a run; `undefined` when none of them listens. */
export function listenerOf(...tracers: readonly (Tracer | undefined)[]): RunListener | undefined {
  return listenerOfAll(tracers.flatMap((tracer) => tracer?.listener ?? []));
}

/** Precompiles by address (40 hex digits without 0x). */
export type Precompiles = Map<string, PrecompileFunc>;

/** Observes one run. A tracer that listens to every step makes the run several times as slow. */
export interface Tracer {
  /** absent = the tracer observes nothing */
  readonly listener?: RunListener | undefined;
}

/**
 * What a run has warmed up (EIP-2929): slots that were cold before, by their accounts, and accounts that were cold before, except those
 * that the run created. Keys are hexadecimal text with 0x.
 */
export type Accessed = ReadonlyMap<string, ReadonlySet<string>>;

export interface ExecuteOptions {
  readonly tracer?: Tracer | undefined;
  /**
   * Reports console output and calls to the engine's listeners when the run has ended; off for trial runs and repeated runs.
   * `'failed'`: console output is reported only if the run fails, calls in any case.
   */
  readonly console?: ConsoleOf;
  /** Replaces the hardfork's precompiles; by address (40 hex digits without 0x). */
  readonly precompiles?: Precompiles | undefined;
  /** Receives the accounts and slots that the run has warmed up. */
  readonly onAccessList?: ((accessed: Accessed) => void) | undefined;
  /**
   * Pauses the run for other work when its time slice is used up. For runs in the background, which no tick of the event loop waits for.
   */
  readonly background?: Pauses | undefined;
  /** Discards what the run writes: the caller doesn't read the state afterwards, so the state needn't be an `Overlay`. */
  readonly discards?: boolean;
  /** Numbers the logs as geth's simulation does: logs of reverted frames are counted too, so they leave gaps. */
  readonly numberLogs?: boolean;
  /** Receives the state gas that was returned during the run (EIP-8037), when the run has ended. */
  readonly onStateGasReturned?: ((gas: bigint) => void) | undefined;
  /** Receives the accounts and slots that the run accesses, for the access list of its block (EIP-7928). */
  readonly touched?: Touched | undefined;
}

export interface EngineDeps {
  readonly schedule: HardforkSchedule;
  readonly crypto: Pick<Crypto, 'recover'>;
  /** absent = no overrides yet */
  readonly signatures?: SignatureOverrides;
  /** receives each line that contracts print with console.log; absent = console calls aren't decoded */
  readonly onConsole?: OnConsole | undefined;
  /** receives the calls of each run, as the outermost frame; absent = calls aren't recorded */
  readonly onTrace?: ((root: Frame) => void) | undefined;
  /** whether the engine counts the opcodes that transactions in blocks run, for coverage: transactions take a little longer then */
  readonly counts?: boolean | undefined;
}

/**
 * Executes messages, for blocks, calls, simulations, traces and replay. Runs on different overlays may overlap. A chain's engine is chosen
 * once, when the chain is opened: see `newEngine`.
 */
export interface Engine {
  readonly schedule: HardforkSchedule;
  /** applies to all later runs */
  readonly signatures: SignatureOverrides;

  /** @param block the environment or the header of a block */
  hardforkOf(block: Pick<BlockEnv, 'number' | 'timestamp' | 'difficulty'>): Hardfork;

  /** A copy of the hardfork's precompiles, which the caller may change. */
  precompiles(env: BlockEnv): Precompiles;

  /**
   * Executes a message as a transaction: rules, fees, nonce, code, refunds, coinbase (yellow paper section 6).
   * @param state an `Overlay`, unless `options.discards` is true: it receives the writes when the outcome is `executed`, and stays
   * unchanged when the outcome is `invalid`
   * @returns a promise only if the run has to wait for something, such as remote state
   */
  execute(
    message: Message,
    env: BlockEnv,
    state: StateView,
    rules: Rules,
    options?: ExecuteOptions,
  ): Awaitable<Outcome>;

  /**
   * Finds the least gas limit with which a message succeeds, to within 1.5 %. Writes nothing to the state.
   * @param most the highest gas limit to try
   */
  estimate(
    message: Message,
    most: bigint,
    env: BlockEnv,
    state: StateView,
    rules: Rules,
    options?: EstimateOptions,
  ): Awaitable<Estimate>;

  /** Returns the state in which the transactions and calls of a block begin: it has the writes of the protocol at the block's start. */
  stateAtStart(opening: Opening): Awaitable<StateView>;

  /**
   * Returns a workspace, in which blocks are made. @param state the state on which they are made; a {@link ChainState} if they get state
   * roots
   */
  workspace(state: StateView, options: WorkspaceOptions): Workspace;

  /** Returns the writer of simulated blocks; always `undefined` if this engine makes simulated blocks only as objects. */
  simulationWriter(state: StateView, options: WriteOptions): SimulationWriter | undefined;

  /** Resolves when a run in the background may begin, if too many are in progress; `undefined` if one may begin now. */
  readonly whenFree: Promise<void> | undefined;

  /** The caller must call this when the chain continues from an earlier, stored state: the next runs will be on that state. */
  returnTo(state: ChainState): void;

  /**
   * Computes the root of a state that has writes which aren't in its tries yet, and the trie nodes to store with it, if this engine has the
   * tries of the state before it. Otherwise the state builds its own tries when its root is read.
   */
  computeRoot(state: ChainState): void;

  /** Does preparations in advance that the first run would otherwise wait for: a few milliseconds. */
  prepare(): void;

  /** The caller must call this when no long work is in progress any more: it frees caches that can be rebuilt on demand. */
  dropCaches(): void;

  /** The caller must call this when the chain is closed: it releases resources that another chain of this process can use. */
  close(): void;
}
