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
  /** Nobody reads the state afterwards: nothing is written to it, so it needn't be an `Overlay`. */
  readonly discards?: boolean;
  /** Numbers logs as geth's simulation does: logs of reverted frames leave gaps. */
  readonly numberLogs?: boolean;
  /** Receives the state gas that came back in the course of the run (EIP-8037), once it has ended. */
  readonly onStateGasReturned?: ((gas: bigint) => void) | undefined;
  /** Receives the accounts and slots that the run accesses, for the access list of its block (EIP-7928). */
  readonly touched?: Touched | undefined;
}

export interface EngineDeps {
  readonly schedule: HardforkSchedule;
  readonly crypto: Pick<Crypto, 'recover'>;
  /** absent = none yet */
  readonly signatures?: SignatureOverrides;
  /** receives each line that contracts print with console.log; absent = nothing is decoded */
  readonly onConsole?: OnConsole | undefined;
  /** receives the calls of each run, as the outermost frame; absent = nothing is recorded */
  readonly onTrace?: ((root: Frame) => void) | undefined;
  /** whether it counts what the transactions of blocks run, for coverage: they take a little longer then */
  readonly counts?: boolean | undefined;
}

/**
 * Executes messages, for blocks, calls, simulations, traces and replay. Runs on different overlays may overlap. Which engine a chain has
 * is chosen once, when it is opened: see `newEngine`.
 */
export interface Engine {
  readonly schedule: HardforkSchedule;
  /** applies to all runs from now on */
  readonly signatures: SignatureOverrides;

  /** @param block its environment or header */
  hardforkOf(block: Pick<BlockEnv, 'number' | 'timestamp' | 'difficulty'>): Hardfork;

  /** A copy of the hardfork's precompiles, which the caller may change. */
  precompiles(env: BlockEnv): Precompiles;

  /**
   * Executes a message as a transaction: rules, fees, nonce, code, refunds, coinbase (yellow paper section 6).
   * @param state an `Overlay`, except where `options.discards` is true: it receives the writes when the outcome is `executed`, and is
   * untouched when it is `invalid`
   * @returns a promise where something has to be waited for
   */
  execute(
    message: Message,
    env: BlockEnv,
    state: StateView,
    rules: Rules,
    options?: ExecuteOptions,
  ): Awaitable<Outcome>;

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
    options?: EstimateOptions,
  ): Awaitable<Estimate>;

  /** The state in which the transactions and calls of a block begin: what the protocol writes before them is written. */
  opened(opening: Opening): Awaitable<StateView>;

  /** Where blocks are made. @param state what they are made on; a {@link ChainState} where they get state roots */
  workspace(state: StateView, options: WorkspaceOptions): Workspace;

  /** What writes simulated blocks; `undefined` where this engine makes them as objects only, which is decided when it is opened. */
  simulationWriter(state: StateView, options: WriteOptions): SimulationWriter | undefined;

  /** What a run in the background has to wait for before it begins, where too many are under way; `undefined` otherwise. */
  readonly free: Promise<void> | undefined;

  /** To be called when the chain goes on from an earlier state, which is stored: the next runs will be on that one. */
  returnTo(state: ChainState): void;

  /**
   * Computes the root of a state with writes that aren't in its tries yet, and what has to be stored with it, where this engine has the tries of
   * the state before it. Otherwise the state makes its own tries when its root is asked for.
   */
  computeRoot(state: ChainState): void;

  /** Does ahead what the first run would have to wait for: a few milliseconds. */
  prepare(): void;

  /** To be called when nothing long runs any more: drops what can be made again when it is needed. */
  rest(): void;

  /** To be called when the chain has ended: gives back what another chain of this process can use. */
  close(): void;
}
