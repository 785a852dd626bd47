import * as halts from '../../core/memory/halts.ts';
import { DevnetError } from '../../errors.ts';
import { type ConsoleLine, type ConsoleOf, consoleLineOf, tellConsole } from '../../protocol/console-log.ts';
import type { Hardfork, HardforkSchedule } from '../../protocol/hardfork.ts';
import { intrinsicGas } from '../../protocol/intrinsic-gas.ts';
import { chargedBytes, isDeposit, withNonce } from '../../protocol/op-stack/optimism.ts';
import { rollupFees } from '../../protocol/op-stack/rollup-fees.ts';
import { SignatureOverrides } from '../../protocol/signature-overrides.ts';
import type { BlockEnv, Invalid, Message, Outcome, Rules } from '../../protocol/types.ts';
import { findViolation, gasCost } from '../../protocol/validity.ts';
import type { ChainState } from '../../state/chain-state.ts';
import { type StateVersion, versionOf } from '../../state/lineage.ts';
import { Overlay } from '../../state/overlay.ts';
import { type ComputedRoot, TrieState } from '../../state/trie-state.ts';
import { type Awaitable, andThen, type StateView } from '../../state/view.ts';
import type { Pauses } from '../../turns.ts';
import {
  type Engine,
  type EngineDeps,
  type ExecuteOptions,
  listenerOf,
  type Precompiles,
} from '../engine.ts';
import { affordableGas, type Estimate, type FailedEstimate, lacksFunds } from '../estimate.ts';
import { activePrecompiles } from '../precompiles.ts';
import type { WriteOptions } from '../simulation-writer.ts';
import { FrameRecorder } from '../tracers/frames.ts';
import type { BlockStart, Opening, Workspace, WorkspaceOptions } from '../workspace.ts';
import { fieldsOf, orRollBack, writeSystemState } from './blocks.ts';
import { dropSpareCores, prepareCore } from './core-pool.ts';
import { CoreSimulationWriter } from './core-simulation-writer.ts';
import { CoreWorkspace } from './core-workspace.ts';
import type { Executor } from './executor.ts';
import { Listening } from './listening.ts';
import { applyOnOptimism, estimateDeposit, type Refused } from './optimism.ts';
import { exemptionsOf, outcomeOf } from './outcome.ts';
import { Pausing } from './pausing.ts';
import { type ExecutorRules, rulesOf } from './rules.ts';
import { ending, finish, finished, type Run, Unfinished } from './run.ts';
import { canFollow, type FollowedState, StateTables } from './state-tables.ts';
import type { Execution } from './types.ts';

/** Executors that are kept: for the latest state, the pending one, and a third one. */
const MAX_IDLE = 3;
/** How many background runs may wait at the same time, for their next slice or for state of a forked chain. */
const MAX_BUSY = 32;
/** The highest gas limit of an estimate: the search doubles limits, and the core counts gas in signed numbers of 64 bits. */
const MAX_SEARCHED_GAS = 2n ** 62n;

/** Executes everything in WebAssembly: see src/core. */
export class FastEngine implements Engine {
  readonly schedule: HardforkSchedule;
  readonly signatures: SignatureOverrides;
  readonly #deps: EngineDeps;
  /** weakly, since each `anvil_setChainId` makes new hardforks */
  readonly #rules = new WeakMap<Hardfork, ExecutorRules>();
  /** the most recently used one last */
  readonly #idle: StateTables[] = [];
  /** idle tables whose executor tells of steps */
  #telling: StateTables | undefined;
  /** the state to which blocks were removed, while the tables haven't followed */
  #returning: TrieState | undefined;
  #busy = 0;
  /** background runs that begin when others have ended */
  readonly #waiting: (() => void)[] = [];
  #isClosed = false;

  constructor(deps: EngineDeps) {
    this.schedule = deps.schedule;
    this.signatures = deps.signatures ?? new SignatureOverrides();
    this.#deps = deps;
  }

  hardforkOf({ number, timestamp, difficulty }: Parameters<Engine['hardforkOf']>[0]): Hardfork {
    return this.schedule.at(number, timestamp, difficulty);
  }

  precompiles(env: BlockEnv): Precompiles {
    return activePrecompiles(this.hardforkOf(env));
  }

  execute(...run: Parameters<Engine['execute']>): Awaitable<Outcome> {
    const [message, env, state, rules, options = {}] = run;
    if (this.#refuses(message, env)) return this.#refusal(message, env, state, rules);
    if (options.tracer || options.onAccessList || (options.console && this.#deps.onTrace))
      return this.#executeHeard(...run);
    const running = {
      print: options.console ? this.#printerOf(message, options.console) : undefined,
      listening: undefined,
      precompiles: options.precompiles,
      isOptimism: this.schedule.optimism ?? false,
      state: options.discards ? undefined : (state as Overlay),
    };
    const execution = this.#withTables(state, env, options, (tables) =>
      runMessage(tables, message, rules, running),
    );
    const end = (ended: Execution | Refused): Awaitable<Outcome> => {
      if (ended.kind === 'invalid') return this.#refusal(message, env, state, rules, ended);
      return outcomeOf(ended, options.numberLogs ?? false);
    };
    return execution instanceof Promise ? execution.then(end) : end(execution);
  }

  estimate(...search: Parameters<Engine['estimate']>): Awaitable<Estimate> {
    const [message, most, env, state, rules, options = {}] = search;
    const { anyoneTransfers = false, precompiles, background } = options;
    if (this.#refuses(message, env)) return this.#explained({ kind: 'invalid' }, search);
    const found = this.#withTables(state, env, { background }, ({ executor }) => {
      executor.watchConsole(false);
      const highest = most < MAX_SEARCHED_GAS ? most : MAX_SEARCHED_GAS;
      return estimateIn(executor, message, highest, { rules, anyoneTransfers, precompiles });
    });
    return andThen(found, (estimate) => {
      const isTold = options.console && (this.#deps.onTrace || typeof estimate === 'object');
      return typeof estimate === 'bigint' && !isTold ? estimate : this.#explained(estimate, search);
    });
  }

  /** Says why there is no estimate. Where listeners want console lines or calls, it runs the message once more for them, with the highest limit. */
  async #explained(
    found: Estimated,
    [message, most, env, state, rules, options = {}]: Parameters<Engine['estimate']>,
  ): Promise<Estimate> {
    if (typeof found === 'bigint' || found.kind === 'failed') {
      const { console, background } = options;
      const gasLimit = typeof found === 'bigint' ? most : found.gasLimit;
      if (console)
        await this.execute({ ...message, gasLimit }, env, state, rules, {
          console,
          background,
          discards: true,
        });
      return found;
    }
    const balance = (await state.getAccount(message.from))?.balance ?? 0n;
    const gasLimit = affordableGas(message, most, balance);
    if (gasLimit === undefined) return lacksFunds(message, balance);
    return this.#refusal({ ...message, gasLimit }, env, state, rules, found);
  }

  stateAtStart(opening: Opening): Awaitable<StateView> {
    const { state, start } = opening;
    return this.#withTables(state, start.env, {}, (tables) =>
      openForCalls(tables, start, new Overlay(state)),
    );
  }

  /** Executes a message that tracers or listeners watch. */
  async #executeHeard(...run: Parameters<Engine['execute']>): Promise<Outcome> {
    const [message, env, state, rules, options = {}] = run;
    const print = this.#printerOf(message, options.console);
    const frames = options.console && this.#deps.onTrace ? new FrameRecorder() : undefined;
    const listener = listenerOf(options.tracer, frames);
    const { onAccessList, discards } = options;
    // A listener may read the state after the run, even where the caller discards it.
    const after = listener || discards ? new Overlay(state) : (state as Overlay);
    const told = isDeposit(message) ? await withNonce(message, state) : message;
    const hardfork = this.hardforkOf(env);
    const heard = { message: told, env, hardfork, before: state, pauses: options.background };
    const tellsSteps = listener?.steps !== undefined || listener?.counts !== undefined;
    const execution = await this.#withTables(state, env, { ...options, tellsSteps }, (tables) =>
      runMessage(tables, message, rules, {
        print,
        precompiles: options.precompiles,
        listening: new Listening(tables, heard, after, { listener, onAccessList }),
        isOptimism: this.schedule.optimism ?? false,
        state: listener || !discards ? after : undefined,
      }),
    );
    if (execution.kind === 'invalid') return this.#refusal(message, env, state, rules, execution);
    if (listener && !discards) (state as Overlay).apply(after.writes());
    if (frames) this.#deps.onTrace!(frames.root);
    return outcomeOf(execution, options.numberLogs ?? false);
  }

  /**
   * Gives a state the root that tables have computed.
   * @param unstored gives what has to be stored with the state; `undefined` when that isn't known any more
   */
  #useRoot(state: FollowedState, root: Uint8Array, unstored: ComputedRoot['unstored']): void {
    state.useRoot({ root, unstored, accountOf: this.#accountsOf(versionOf(state)) });
  }

  /** Reads accounts of a state in the tables that hold it. It refers to neither, since the state may be kept for long. */
  #accountsOf(version: StateVersion): ComputedRoot['accountOf'] {
    return (address) => {
      for (const tables of this.#idle) {
        const account = tables.accountOf(version, address);
        if (account !== null) return account;
      }
      return null;
    };
  }

  /** Gives what has to be stored with a state. When it is called, the tables may hold another state, be in the middle of a run, or be closed. */
  #unstoredLater(state: FollowedState, root: Uint8Array, tables: StateTables): ComputedRoot['unstored'] {
    const weak = new WeakRef(tables);
    return () => {
      const known = weak.deref();
      return known && this.#idle.includes(known) ? known.unstoredOf(state, root) : undefined;
    };
  }

  /**
   * Lets the tables go back as well: when this turn of the event loop ends, so that the request is answered first, or before the next run
   * if that comes earlier.
   */
  returnTo(state: ChainState): void {
    if (!(state instanceof TrieState)) return;
    if (!this.#returning) setImmediate(() => this.#followBack());
    this.#returning = state;
  }

  computeRoot(state: ChainState): void {
    if (!canFollow(state) || state.hasRoot) return;
    const tables = this.#take(state);
    this.#busy++;
    let root: Uint8Array | undefined;
    try {
      root = tables.keepRootOf(state);
    } catch (error) {
      this.#fail(error, tables, undefined);
    }
    this.#end(tables, undefined);
    if (root) this.#useRoot(state, root, this.#unstoredLater(state, root, tables));
  }

  #followBack(): void {
    const state = this.#returning;
    this.#returning = undefined;
    if (!state) return;
    for (const [i, tables] of this.#idle.entries()) {
      try {
        if (tables.goBackTo(state)) return;
      } catch {
        // If it is an error of the store, the next run meets it, too.
        this.#idle.splice(i, 1);
        tables.executor.close();
        return;
      }
    }
  }

  workspace(state: StateView, options: WorkspaceOptions): Workspace {
    return this.#coreWorkspace(state, options);
  }

  simulationWriter(state: StateView, options: WriteOptions): CoreSimulationWriter {
    const workspace = this.#coreWorkspace(state, options);
    return new CoreSimulationWriter(workspace, options, this.schedule.depositContract);
  }

  get whenFree(): Promise<void> | undefined {
    if (this.#busy < MAX_BUSY) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #coreWorkspace(state: StateView, options: WorkspaceOptions): CoreWorkspace {
    const { background, withStateRoot } = options;
    const tables = this.#take(state, background !== undefined);
    // The tries in the tables belong to the chain's own blocks. The root of a simulated block is computed by its state.
    const mayFollow = withStateRoot && !background && canFollow(state);
    const follows = mayFollow && tables.followTo(state);
    if (!mayFollow) tables.moveTo(state);
    const { executor } = tables;
    executor.useChainId(this.schedule.chainId);
    const { footprint } = executor;
    const pausing = background && new Pausing(background, executor, footprint);
    this.#busy++;
    return new CoreWorkspace(state, options, {
      tables,
      follows,
      rulesOf: (env) => this.#rulesOf(this.hardforkOf(env)),
      isOptimism: this.schedule.optimism ?? false,
      hardforkOf: (env) => this.hardforkOf(env),
      isDaoFork: (env) => this.#isDaoFork(env),
      refuses: (message, env) => this.#refuses(message, env),
      refusal: (message, env, before, rules) => this.#refusal(message, env, before, rules),
      depositContract: this.schedule.depositContract,
      onConsole: this.#deps.onConsole,
      onTrace: this.#deps.onTrace,
      // Only blocks of the chain are counted, no simulated ones.
      counts: this.#counts && withStateRoot && !background,
      pausing,
      keep: (writes, mark) => {
        const { folded, root } = tables.keep(state as FollowedState, writes, mark);
        if (!folded.hasRoot) this.#useRoot(folded, root, this.#unstoredLater(folded, root, tables));
        return folded;
      },
      end: (isSound) => {
        pausing?.end();
        this.#end(isSound ? tables : undefined, background && footprint);
      },
    });
  }

  /** Whether it is the block of the DAO fork, on a chain that has it (EIP-779). */
  #isDaoFork({ number }: BlockEnv): boolean {
    const { daoFork } = this.schedule;
    return daoFork?.supported === true && number === daoFork.block;
  }

  /** Whether the chain doesn't have such messages: deposits, or blobs, which OP chains don't have. */
  #refuses({ type, deposit }: Message, env: BlockEnv): boolean {
    return deposit ? !this.schedule.optimism : type === 3 && this.hardforkOf(env).rollup !== undefined;
  }

  #withTables<T>(
    state: StateView,
    env: BlockEnv,
    {
      background,
      tellsSteps = false,
    }: { readonly background?: Pauses | undefined; readonly tellsSteps?: boolean },
    work: (tables: StateTables) => T | Unfinished<T>,
  ): Awaitable<T> {
    if (background && this.#busy >= MAX_BUSY)
      return this.whenFree!.then(() => this.#withTables(state, env, { background, tellsSteps }, work));
    const tables =
      tellsSteps && !this.#counts ? this.#takeTelling() : this.#take(state, background !== undefined);
    const { executor } = tables;
    const { footprint } = executor;
    this.#busy++;
    let result: T | Unfinished<T>;
    try {
      const moving = tables.moving(state);
      if (moving)
        result = moving.before(() => {
          this.#enter(executor, env);
          return work(tables);
        });
      else {
        if (!executor.isIn(env, this.schedule.chainId)) this.#enter(executor, env);
        result = work(tables);
      }
    } catch (error) {
      return this.#fail(error, tables, background && footprint);
    }
    if (result instanceof Unfinished) return this.#finish(result.rest, tables, footprint, background);
    // A run that ends in one slice needs little memory.
    this.#end(tables, undefined);
    return result;
  }

  /** Lets the next runs be in this block. */
  #enter(executor: Executor, env: BlockEnv): void {
    executor.useRules(this.#rulesOf(this.hardforkOf(env)));
    executor.useChainId(this.schedule.chainId);
    executor.useEnv(env);
  }

  /** @param footprint the executor's before the run, in bytes */
  #finish<T>(
    rest: Run<T>,
    tables: StateTables,
    footprint: number,
    background: Pauses | undefined,
  ): Awaitable<T> {
    const pausing = background && new Pausing(background, tables.executor, footprint);
    const succeed = (value: T): T => {
      pausing?.end();
      this.#end(tables, background && footprint);
      return value;
    };
    const fail = (error: unknown): never => {
      pausing?.end();
      return this.#fail(error, tables, background && footprint);
    };
    let result: Awaitable<T>;
    try {
      result = finish(rest, pausing && (() => pausing.giveWay()));
    } catch (error) {
      return fail(error);
    }
    return result instanceof Promise ? result.then(succeed, fail) : succeed(result);
  }

  /**
   * A run has ended: the next one that waits may begin. Keeps its tables, unless much memory would stay in use with them.
   * @param tables absent: they are dropped
   * @param before the executor's footprint before a run in the background, in bytes
   */
  #end(tables: StateTables | undefined, before: number | undefined): void {
    this.#busy--;
    this.#waiting.shift()?.();
    if (!tables) return;
    const { executor } = tables;
    const hasGrown = before !== undefined && executor.hasGrownFrom(before);
    if (hasGrown || (executor.isForOneRun && executor.isLarge)) executor.close();
    else if (this.#isClosed) return;
    else if (executor.tellsSteps && !this.#counts) {
      this.#telling?.executor.close();
      this.#telling = tables;
    } else {
      this.#idle.push(tables);
      if (this.#idle.length > MAX_IDLE) this.#idle.shift()!.executor.close();
    }
  }

  /** A run has failed, and was taken back. After an unknown error the content of its tables isn't certain: they are dropped. */
  #fail(error: unknown, tables: StateTables, before: number | undefined): never {
    this.#end(error instanceof DevnetError ? tables : undefined, before);
    throw error;
  }

  /**
   * The idle tables that are closest to a state.
   * @param isBackground whether the last idle tables are left to the next block while other runs are under way, so that it needn't load its state
   */
  #take(state: StateView, isBackground = false): StateTables {
    if (this.#returning) this.#followBack();
    if (isBackground && this.#busy > 0 && this.#idle.length === 1)
      return this.#newTables({ isForOneRun: true });
    let closest = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#idle.length && least > 0; i++) {
      const distance = this.#idle[i]!.distanceTo(state);
      if (distance >= least) continue;
      least = distance;
      closest = i;
    }
    if (this.#idle.length < MAX_IDLE && least === Number.POSITIVE_INFINITY)
      return this.#newTables({ isForOneRun: false });
    return this.#idle.splice(closest, 1)[0] ?? this.#newTables({ isForOneRun: true });
  }

  /** Tables whose executor tells each step. The last ones are kept, since traces are made one after the other. */
  #takeTelling(): StateTables {
    const tables = this.#telling;
    this.#telling = undefined;
    return tables ?? this.#newTables({ isForOneRun: false, tellsSteps: true });
  }

  /** Whether all executors count what they run, since blocks need it. */
  get #counts(): boolean {
    return this.#deps.counts ?? false;
  }

  prepare(): void {
    if (this.#counts) return;
    try {
      prepareCore();
    } catch {
      // The first run meets the same error, and reports it.
    }
  }

  dropCaches(): void {
    for (const { executor } of this.#idle.splice(0, this.#idle.length - 1)) executor.close();
    this.#telling?.executor.close();
    this.#telling = undefined;
    dropSpareCores();
  }

  close(): void {
    this.#isClosed = true;
    for (const begin of this.#waiting.splice(0)) begin();
    this.#telling?.executor.close();
    this.#telling = undefined;
    for (const { executor } of this.#idle.splice(0)) executor.close();
  }

  /** @throws DevnetError where the module can't be loaded: on a processor without SIMD, or when memory is short */
  #newTables(options: { isForOneRun: boolean; tellsSteps?: boolean }): StateTables {
    const { recover } = this.#deps.crypto;
    try {
      const { chainId } = this.schedule;
      return new StateTables({ chainId, counts: this.#counts, ...options }, { recover });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const reason = `the engine fast can't run here (${why}): start the node with --engine ethereumjs`;
      throw new DevnetError('server', { reason });
    }
  }

  /** Tells the console lines of a message's run; `undefined` where nobody listens. */
  #printerOf(message: Message, of: ConsoleOf = false): Printer | undefined {
    const { onConsole } = this.#deps;
    if (!of || !onConsole) return undefined;
    return (lines, failed) => {
      const sent = consoleLineOf(message);
      tellConsole(sent ? [...lines, sent] : lines, { of, failed }, onConsole);
    };
  }

  #rulesOf(hardfork: Hardfork): ExecutorRules {
    let rules = this.#rules.get(hardfork);
    if (!rules) {
      rules = rulesOf(hardfork, this.signatures);
      this.#rules.set(hardfork, rules);
    }
    return rules;
  }

  async #refusal(
    message: Message,
    env: BlockEnv,
    state: StateView,
    rules: Rules,
    refused?: Refused,
  ): Promise<Invalid> {
    if (refused?.error) return { kind: 'invalid', error: refused.error };
    const hardfork = this.hardforkOf(env);
    const cost = gasCost(message, env, hardfork);
    const intrinsic = intrinsicGas(message, hardfork);
    const bytes = this.schedule.optimism ? chargedBytes(message, rules) : undefined;
    const rollup = bytes && (await rollupFees(bytes, state));
    const error = await findViolation(message, env, state, rules, hardfork, cost, intrinsic, rollup);
    if (!error) throw new Error('the executor refused a message that breaks no rule');
    return { kind: 'invalid', error };
  }
}

/** Searches in the core for the least gas limit, with precompiles where they were moved to. */
function estimateIn(
  executor: Executor,
  message: Message,
  most: bigint,
  options: {
    readonly rules: Rules;
    readonly anyoneTransfers: boolean;
    readonly precompiles: ExecuteOptions['precompiles'];
  },
): Estimated | Unfinished<Estimated> {
  const { rules, anyoneTransfers, precompiles } = options;
  const search = (): Estimated | Unfinished<Estimated> => {
    if (isDeposit(message)) return new Unfinished(estimateDeposit(executor, message, most));
    return executor.estimate(message, most, exemptionsOf(rules), anyoneTransfers);
  };
  if (!precompiles) return search();
  executor.movePrecompiles(precompiles);
  return ending(search, () => executor.movePrecompiles(undefined));
}

type Estimated = bigint | FailedEstimate | Refused;

/** Makes the protocol's writes at the start of a block, in an overlay on the state in the tables. */
function openForCalls(
  tables: StateTables,
  start: BlockStart,
  opened: Overlay,
): Overlay | Unfinished<Overlay> {
  const { executor } = tables;
  const mark = executor.core.mark();
  const end = () => {
    tables.passChanges(mark, opened);
    return opened;
  };
  if (beginForCalls(executor, start) === halts.NONE) return end();
  return new Unfinished(
    (function* (): Run<Overlay> {
      yield* orRollBack(executor, writeSystemState(executor, start));
      return end();
    })(),
  );
}

/** Begins {@link openForCalls}: in most cases nothing is left to do. @returns a code of `writeSystemState` in src/core/block/block.ts */
function beginForCalls(executor: Executor, start: BlockStart): number {
  executor.core.startBlock(0);
  executor.setBlock(fieldsOf(start), (number) => start.env.blockHash(number));
  const begun = executor.core.writeSystemState();
  if (begun === halts.NONE) executor.core.closeIndex();
  return begun;
}

/** Tells the lines that a run has printed, once it has ended. */
type Printer = (lines: readonly ConsoleLine[], failed: boolean) => void;

/** @param options.state receives the writes; absent: they are taken back */
function runMessage(
  tables: StateTables,
  message: Message,
  rules: Rules,
  options: MessageOptions,
): Execution | Refused | Unfinished<Execution | Refused> {
  const { executor } = tables;
  const { print, listening } = options;
  executor.watchConsole(print !== undefined);
  const mark = executor.core.mark();
  const fail = (given: Message, reason: string): Execution => {
    listening?.refuse(reason);
    return { ...executor.failDeposit(given, undefined), halt: reason };
  };
  if (options.precompiles) executor.movePrecompiles(options.precompiles);
  if (listening) executor.listen(listening, listening.wants);
  let run: Execution | Refused | Unfinished<Execution | Refused>;
  if (options.isOptimism)
    run = new Unfinished(
      applyOnOptimism(executor, message, rules, {
        run: (given, exempt) => finished(executor.apply(given, exempt)),
        ...(rules.nonce && { fail }),
      }),
    );
  else {
    try {
      run = executor.apply(message, exemptionsOf(rules));
    } catch (error) {
      if (listening) executor.stopListening();
      executor.movePrecompiles(undefined);
      throw error;
    }
  }
  return run instanceof Unfinished
    ? new Unfinished(endLater(run.rest, tables, mark, options))
    : endMessage(run, tables, mark, options);
}

interface MessageOptions {
  readonly print: Printer | undefined;
  readonly precompiles: ExecuteOptions['precompiles'];
  readonly listening: Listening | undefined;
  readonly isOptimism: boolean;
  readonly state: Overlay | undefined;
}

function* endLater(
  rest: Run<Execution | Refused>,
  tables: StateTables,
  mark: number,
  options: MessageOptions,
): Run<Execution | Refused> {
  const { executor } = tables;
  const { print, listening } = options;
  let result: Execution | Refused;
  try {
    result = yield* rest;
  } catch (error) {
    print?.(executor.takePrinted(), true);
    if (listening) executor.stopListening();
    executor.movePrecompiles(undefined);
    throw error;
  }
  return endMessage(result, tables, mark, options);
}

/** @param mark of before the run */
function endMessage(
  result: Execution | Refused,
  tables: StateTables,
  mark: number,
  { print, precompiles, listening, state }: MessageOptions,
): Execution | Refused {
  const { executor } = tables;
  if (precompiles) executor.movePrecompiles(undefined);
  if (listening) executor.stopListening();
  if (result.kind === 'invalid') return result;
  if (state) tables.passChanges(mark, state);
  else executor.core.revertTo(mark);
  print?.(executor.takePrinted(), result.halt !== undefined);
  listening?.end();
  return result;
}
