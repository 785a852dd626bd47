import { setImmediate } from 'node:timers/promises';
import { type Address, bytesToHex, equalsBytes } from '@ethereumjs/util';
import { type DevAccount, devAccounts } from '../accounts.ts';
import type { TrieBlock } from '../chain/block.ts';
import { Chain } from '../chain/chain.ts';
import type { Conditions } from '../chain/conditions.ts';
import { stateAfter } from '../chain/reserve.ts';
import { layoutOf } from '../chain/store/data-dir.ts';
import type { Disk } from '../chain/store/disk.ts';
import type { StoreCopy } from '../chain/store/fill-copy.ts';
import type { StorePart } from '../chain/store/store-copier.ts';
import { type Clock, ManualClock, SystemClock } from '../clock.ts';
import { newEngine } from '../engine/new-engine.ts';
import type { Frame } from '../engine/tracers/frames.ts';
import { DevnetError } from '../errors.ts';
import type { CallerDeps } from '../execution/call.ts';
import type { Execution } from '../execution/execution.ts';
import { Blobs } from '../mempool/blobs.ts';
import { TransactionDecoder } from '../mempool/decode.ts';
import { SentTransactionDecoder } from '../mempool/decode-sent.ts';
import { Mempool } from '../mempool/mempool.ts';
import type { Config } from '../options/options.ts';
import { PRESETS } from '../options/presets.ts';
import type { OnProgress, Progress } from '../progress.ts';
import { SettableChainId } from '../protocol/chain-id.ts';
import { chooseCrypto } from '../protocol/crypto.ts';
import { scheduleOf } from '../protocol/genesis-schedule.ts';
import { codeSizeLimit, singleHardfork, withChainRules } from '../protocol/hardfork.ts';
import type { Executed } from '../protocol/types.ts';
import type { HeadRecord } from '../recorder/lines.ts';
import { Recorder, type TaskLog } from '../recorder/recorder.ts';
import { returnTo } from '../recorder/return-to.ts';
import { Steps } from '../recorder/steps.ts';
import type { Dispatcher } from '../rpc/dispatch.ts';
import type { InProcessProvider } from '../rpc/in-process-provider.ts';
import type { ConnectionState, Member } from '../rpc/member.ts';
import { Delivery } from '../rpc/push/delivery.ts';
import { type Failure, failureTrace } from '../rpc/read/failure-trace.ts';
import { ChainTime, TIME_OFFSET } from '../sequencer/chain-time.ts';
import { CurrentTask } from '../sequencer/current-task.ts';
import { Feed } from '../sequencer/feed/feed.ts';
import { Assembler } from '../sequencer/mining/assembler.ts';
import { adoptBlock } from '../sequencer/outside/adopt-block.ts';
import { Replica } from '../sequencer/outside/replica.ts';
import { History } from '../sequencer/rewrite/history.ts';
import { Snapshots } from '../sequencer/rewrite/snapshots.ts';
import { Sequencer } from '../sequencer/sequencer.ts';
import { Settings, seedOf } from '../sequencer/settings.ts';
import { TaskClock } from '../sequencer/task-clock.ts';
import { CallCounts } from '../server/call-counts.ts';
import { Contracts, type KnownContracts } from '../sources/contracts.ts';
import type { StackTrace } from '../stack-trace/stack-trace.ts';
import { StackTraceThread } from '../stack-trace/thread.ts';
import { EMPTY_BYTES, EMPTY_CODE_HASH, hasCode } from '../state/account.ts';
import { openChainStore } from './chain-store.ts';
import { writeConfigFile } from './config-file.ts';
import type { GivenFork } from './fork.ts';
import { forkSummary } from './fork-summary.ts';
import { ForkWait } from './fork-wait.ts';
import { type ForkFacts, Forking, fetchAhead, prefetchSends } from './forking.ts';
import { createListeners, type ListenerHooks } from './listeners.ts';
import { type DispatcherHooks, executionOf, type NodeParts, rpcContext, rpcDispatcher } from './rpc.ts';
import { captureRunning, type RunningParts, startAs, transactionOf } from './running-state.ts';
import { loadAccountsFile, StateDumps } from './state-file.ts';
import { timeOffset } from './time-offset.ts';

/** Data that was lost in the repair of a damaged data directory. */
export interface Repaired {
  /** number of lost blocks and dev writes */
  readonly batches: number;
  /** number of the head after the repair */
  readonly head: bigint;
}

/** A running node. */
export interface Node {
  readonly clock: Clock;
  readonly chain: Chain;
  readonly feed: Feed;
  readonly sequencer: Sequencer;
  readonly dispatcher: Dispatcher;
  readonly provider: InProcessProvider;
  readonly accounts: readonly DevAccount[];
  /** seconds */
  readonly genesisTimestamp: bigint;
  readonly repaired: Repaired | undefined;
  /** the chain that this one was forked from when it was started */
  readonly fork: ForkFacts | undefined;
  /**
   * Executes a block (RLP) of another chain and appends it. Skips a block that this chain already has. Only in manual mode.
   * @returns the block's number
   * @throws BadBlock when it breaks a rule
   */
  adopt(encoded: Uint8Array): Promise<bigint>;
  /**
   * Submits a transaction of a recording.
   * @param from the sender, if it was impersonated
   * @param conditions conditions for its inclusion (ERC-7796)
   */
  submit(raw: Uint8Array, from?: Address, conditions?: Conditions): Promise<void>;
  /** Makes a call of a recording. Never forwards it to another node. @throws DevnetError */
  call(method: string, params: readonly unknown[]): Promise<unknown>;
  /** In a replay: ends the call whose task is running, as if it had timed out. */
  expire(): void;
  /**
   * In a replay: makes the next task fail as if the forked node hadn't answered.
   * @param points number of points that the task passes before, see {@link CurrentTask.assertFetched}; absent = it doesn't fail
   */
  failNext(points: number | undefined): void;
  /** In a replay: makes the next blocks leave out these transactions for the same reason, each once. @param hashes `0x` hex */
  leaveOut(hashes: readonly string[]): void;
  /** Writes everything that changes the chain to a log from now on; `undefined` stops that. Must be called between two tasks. */
  logTo(log: TaskLog | undefined): void;
  /**
   * Captures the complete node, so that another node can continue from its state.
   * @param options.dir folder in which later changes are collected for the next partial copy of the store
   * @param options.whole whether to copy the complete store
   * @param options.began called at the moment of the capture
   * @returns `undefined` while the open block has transactions or a simulated failure is pending, and on a forked chain
   */
  capture(options: { dir: string; whole: boolean; began: () => void }): Promise<Captured | undefined>;
  /** Ends an import: blocks up to `number` are finalized, and the next block keeps the gas limit of the last one. */
  finishImport(number: bigint): Promise<void>;
  /** Follows the blocks of another node. Only in manual mode. */
  readonly replica: Replica;
  /** Opens the port. @returns `http://host:port`; throws EADDRINUSE */
  listen(host: string, port: number): Promise<string>;
  /** Opens a Unix socket. @throws EADDRINUSE if another process listens on it */
  listenIpc(path: string): Promise<void>;
  /** Stops accepting, seals the open block if it has transactions, closes the store. */
  close(): Promise<void>;
}

export interface Captured {
  /** the serialized state that isn't in the store */
  readonly running: Uint8Array;
  /** the complete store, or the writes since the last capture */
  readonly store: StorePart;
}

/** Finds the source position at which a call or a transaction failed; `undefined` if unknown. */
export type WhereFailed = (
  error: Parameters<typeof failureTrace>[1],
  call?: Failure,
) => Promise<StackTrace | undefined>;

/** Functions that execute a transaction or call again. */
export interface Reexecutor {
  /** executes a transaction of a block again; `undefined` if it isn't in a block */
  readonly again: (hash: Uint8Array) => Promise<Executed | undefined>;
  readonly whereFailed: WhereFailed;
}

export interface NodeHooks extends DispatcherHooks, ListenerHooks {
  /** this package's version */
  readonly version: string;
  /**
   * Called before the first event, so that a listener misses none.
   * @param reexecutor executes a transaction or a call again
   * @param known the known contracts of the chain
   */
  readonly onFeed?: (feed: Feed, reexecutor: Reexecutor, known: KnownContracts) => void;
  /**
   * Called before the first event.
   * @param execution executes the chain's transactions and calls again
   * @param known the known contracts of the chain
   */
  readonly onExecution?: (execution: Execution, feed: Feed, known: KnownContracts) => void;
  /** Called with each executed `eth_call`, whether it succeeded or failed. */
  readonly onAnswer?: CallerDeps['onAnswer'];
  /** Called after each gas estimate, for `eth_estimateGas` and for transactions sent without a gas limit. */
  readonly onEstimate?: CallerDeps['onEstimate'];
  /**
   * Called with each line that a contract prints with console.log: in transactions, calls, and failed estimates.
   * @param from the contract
   */
  readonly onConsole?: (line: string, from: Address) => void;
  /** Called with the call tree of each transaction, call and estimate. */
  readonly onTrace?: (root: Frame) => void;
  /** Whether the engine counts the executed code of transactions, see `CountedChain`. */
  readonly counts?: boolean;
  /** Called with a log line while the start waits for the forked node. */
  readonly onForkWait?: (line: string) => void;
  /** Called with a log line about reads from the forked chain, such as the number and source of the read values at the end. */
  readonly onFork?: (line: string) => void;
  /** Called with the progress of long work at the start. */
  readonly onProgress?: OnProgress | undefined;
  /** Called with the progress of pruning while the node runs, and with `undefined` when it has ended. */
  readonly onPrune?: ((progress: Progress | undefined) => void) | undefined;
  /** Replaces the system clock in a replay. */
  readonly replay?: ReplaySource;
  /** The disk to which the chain is written; default: the machine's. */
  readonly disk?: Disk;
  /** This node's membership in a log that several nodes share. */
  readonly member?: Member;
  /** The state of the connection to the node that this one follows. */
  readonly followed?: () => ConnectionState;
  /** Receives the lines of a recording from the chain's start on. */
  readonly log?: TaskLog;
}

/** The sources that a replay provides instead of the system clock and the network. */
export interface ReplaySource {
  /** schedules the blocks and gives their timestamps */
  readonly clock: Clock;
  /** measures the durations of ticks, and the time between two state files */
  readonly wall: Clock;
  /** chain time minus the clock's time, milliseconds */
  readonly offset: number;
  /** see {@link ChainTime.reach}; default true */
  readonly movesWithHead?: boolean;
  /** whether long runs of empty blocks are reserved, see {@link ProducerDeps.reserves}; default true */
  readonly reserves?: boolean;
  /** the block that the chain continues from; `undefined` for a new chain */
  readonly head: HeadRecord | undefined;
  /** a captured node from which this one continues, see {@link Node.capture} */
  readonly from?: { readonly running: Uint8Array; readonly copy: StoreCopy } | undefined;
  /** the fork block of the recorded chain, and the data that it read from the other chain */
  readonly fork?: GivenFork | undefined;
  /** see {@link Steps} */
  readonly reached: (step: number, taken: number) => Promise<void>;
}

/** 64 MiB */
const KEPT_BLOBS = 512;

/** Builds all parts of a node in order and starts the chain. */
export async function createNode(asked: Config, hooks: NodeHooks): Promise<Node> {
  const wall = new SystemClock();
  const { fork } = asked;
  const wait = fork && new ForkWait({ url: fork.url }, { clock: wall, tell: hooks.onForkWait });
  try {
    return await buildNode(asked, hooks, { wall, wait });
  } finally {
    wait?.[Symbol.dispose]();
  }
}

async function buildNode(
  asked: Config,
  hooks: NodeHooks,
  { wall, wait }: { wall: Clock; wait: ForkWait | undefined },
): Promise<Node> {
  const { replay } = hooks;
  const contracts = new Contracts({ artifacts: asked.artifacts }, { clock: wall });
  const stackTraces = new StackTraceThread({ folder: asked.artifacts });
  const onError = (error: unknown) => process.emitWarning(error instanceof Error ? error : String(error));
  const crypto = await chooseCrypto();
  const { accounts: count, mnemonic, derivationPath: path } = asked;
  const accounts = devAccounts({ mnemonic, path, count }, crypto);
  const addresses = accounts.map(({ address }) => address);
  const forking = await Forking.open(asked, {
    clock: wall,
    accounts: addresses,
    onRetry: wait?.retried,
    onCacheError: (error) =>
      hooks.onFork?.(
        `the cache can't be used: ${(error as Error).message}; what is fetched is kept in memory`,
      ),
    given: replay?.fork,
  });
  const { config } = forking;
  const overrides = config.codeSizeLimit === undefined ? {} : codeSizeLimit(config.codeSizeLimit);
  const { optimism, rollup } = config;
  const forks = config.genesis
    ? scheduleOf(config.genesis.config, crypto)
    : singleHardfork(config.chainId, config.hardfork, crypto, overrides);
  const { zeroBaseFeeStays } = config;
  const schedule = new SettableChainId({ ...withChainRules(forks, { rollup, zeroBaseFeeStays }), optimism });
  const blobs = new Blobs({ most: KEPT_BLOBS });
  const decoder = new TransactionDecoder(
    { transactionGasCap: config.transactionGasCap, overrides, optimism },
    { blobs },
  );
  // The store, the recorder and the sequencer abort it when the chain can't continue.
  const end = new AbortController();
  const snapshots = new Snapshots();
  const engine = newEngine(config.engine, {
    schedule,
    crypto,
    onDifference: (error) => end.abort(error),
    onConsole: hooks.onConsole,
    onTrace: hooks.onTrace,
    counts: hooks.counts,
  });
  const fork = await forking.replay({ engine, schedule, decoder }).catch((error) => {
    forking.close();
    engine.close();
    throw error;
  });
  const opening = openChainStore(config, {
    schedule,
    accounts: addresses,
    ...(fork && { genesis: fork.genesis, fork: fork.reads.block }),
    decoder,
    computeRoot: (state) => engine.computeRoot(state),
    now: () => wall.now(),
    version: hooks.version,
    scratch: replay !== undefined,
    copy: replay?.from?.copy,
    // A forked chain's initial state has another root than its genesis block's header, which is the other chain's.
    keptRoots: (kept) => [...snapshots.stateRoots(kept), ...(forking.fork ? [forking.fork.origin.root] : [])],
    onPruneError: onError,
    onPrune: hooks.onPrune,
    onWarning: onError,
    onProgress: hooks.onProgress,
    disk: hooks.disk,
  });
  opening.catch(() => {
    forking.close();
    engine.close();
  });
  const { store, fromFile } = await opening;
  void store.failed.then((error) => end.abort(error));
  if (fork && config.dataDir !== undefined && !replay && !fork.isKept)
    fork.keepIn(layoutOf(config.dataDir).fork);
  const current = new CurrentTask();
  const steps = new Steps({ wait: () => setImmediate(), reached: replay?.reached });
  const chain = new Chain(
    {
      slotsInAnEpoch: BigInt(config.slotsInAnEpoch),
      keepBlocks: config.pruneHistory,
      slotMs: config.preset === 'base' ? PRESETS.base.blockTime : undefined,
    },
    {
      store,
      writing: (write) =>
        steps.writing(() => {
          current.writes();
          return write();
        }),
      origin: fork?.origin,
      onReturn: (state) => engine.returnTo(state),
      computeRoot: (state) => engine.computeRoot(state),
      stateAfter: (...reserved) => stateAfter(...reserved, engine),
    },
  );
  const genesisTimestamp = store.header(store.genesis)!.timestamp;
  if (replay?.head) await returnTo(chain, replay.head);
  const clock =
    replay?.clock ??
    (config.manualClock ? new ManualClock(Number(chain.latest.header.timestamp) * 1000) : wall);
  const taskClock = new TaskClock({ clock });
  const offset = replay?.offset ?? (await timeOffset(config, { chain, store, clock, fromFile }));
  const time = new ChainTime(
    { offset, allowEqual: config.allowEqualTimestamps, movesWithHead: replay?.movesWithHead },
    { clock: taskClock },
  );
  const mempool = new Mempool({ maxSize: config.maxPoolSize });
  const { coinbase, extraData } = config;
  const gasLimit = config.keepsGasLimit ? chain.latest.header.gasLimit : config.gasLimit;
  const every = { coinbase, gasLimit, extraData };
  const settings = new Settings({ seed: seedOf(config.seed), every }, { time });
  if (fork && config.nextBaseFee !== undefined)
    settings.setNext({ baseFeePerGas: config.nextBaseFee }, chain.latest.header);
  const feed = new Feed({ onError });
  const again = async (hash: Uint8Array) => {
    const place = chain.findTransaction(hash);
    if (!place) return undefined;
    return context.tracing.transaction(place.block, place.index, {
      tracer: {},
      result: (executed) => executed,
    });
  };
  const codeOf: KnownContracts['codeOf'] = async (address) => {
    const { state } = chain.newest;
    const account = await state.getAccount(address);
    if (!account || !hasCode(account)) return { code: EMPTY_BYTES, hash: bytesToHex(EMPTY_CODE_HASH) };
    return { code: await state.getCode(address), hash: bytesToHex(account.codeHash) };
  };
  const known: KnownContracts = {
    contracts,
    codeOf,
    sourceOf: (opcode) => stackTraces.sourceOf(opcode),
  };
  const whereFailed: WhereFailed = (error, call) => failureTrace(context, error, call);
  hooks.onFeed?.(feed, { again, whereFailed }, known);
  const fromGenesis =
    !fromFile &&
    chain.latest.header.number === chain.genesis &&
    isUntouched(chain.latest, fork?.origin.root ?? chain.latest.header.stateRoot);
  const recorder = new Recorder(
    { options: config.recorded, fromGenesis, reopened: store.reopened, replays: replay !== undefined },
    { clock, feed, steps, head: () => chain.latest, end, reads: fork?.reads },
  );
  const assembler = new Assembler(
    { order: config.order, gasCap: config.transactionGasCap, maxTransactions: config.maxTransactions },
    {
      chain,
      engine,
      mempool,
      settings,
      current,
      wall: replay?.wall ?? wall,
      feed,
      pause: (done) => steps.pause(done),
      progress: (done) => steps.filling(done),
    },
  );
  const sequencer = new Sequencer(
    {
      mode: config.mining,
      minGasPrice: config.minGasPrice,
      refusesGaps: config.refusesGaps,
    },
    {
      assembler,
      chain,
      engine,
      mempool,
      settings,
      clock: taskClock,
      wall: replay?.wall ?? wall,
      feed,
      reserves: replay?.reserves ?? true,
      current,
      gate: hooks.member,
      inputs: recorder,
      end,
      onFatal: hooks.onFatal,
      onDelayed: ({ message }) =>
        hooks.onFork?.(`block ${chain.latest.header.number + 1n} waits: ${message}; it is tried again`),
    },
  );
  const sent = new SentTransactionDecoder({
    decoder,
    next: () => sequencer.nextFees().hardfork.common,
  });
  const history = new History({ sequencer, assembler, chain, mempool, settings, feed, snapshots, current });
  const replica = new Replica({ assembler, chain, decoder, engine, feed, sequencer });
  const parts: NodeParts = {
    chain,
    forking,
    store,
    engine,
    assembler,
    schedule,
    current,
    decoder: sent,
    blobs,
    accounts,
    crypto,
    mempool,
    settings,
    feed,
    delivery: new Delivery({ onError }),
    sequencer,
    history,
    recorder,
    replica,
    contracts,
    stackTraces,
    clock,
    wall,
    onError,
  };
  const role = hooks.forward ? 'follower' : 'sequencer';
  const { version, member, followed, onAnswer, onEstimate } = hooks;
  const context = rpcContext(config, { version, role, member, followed, onAnswer, onEstimate }, parts);
  hooks.onExecution?.(executionOf(config, parts), feed, known);
  const { signers } = context;
  const running = {
    chain,
    clock: taskClock,
    sequencer,
    assembler,
    settings,
    mempool,
    decoder: sent,
    signers,
  };
  const runningParts: RunningParts = { ...running, schedule, engine, snapshots };
  const calls = new CallCounts({ methods: context.methodNames });
  // No timeout in a replay: the recording says which calls timed out.
  const timed = replay && !hooks.forward ? { ...config, rpcTimeout: 0 } : config;
  const dispatcher = rpcDispatcher(timed, hooks, { context, engine, recorder, wall, calls });
  const own =
    hooks.forward &&
    replay &&
    rpcDispatcher({ ...config, rpcTimeout: 0 }, {}, { context, engine, recorder, wall, calls });
  const listeners = createListeners(config, hooks, { parts, context, dispatcher, calls });
  prefetchSends(forking, parts);
  const { baseFee = 0n } = sequencer.nextFees();
  const forked = forking.factsWith({ chainId: config.chainId, baseFee, gasLimit });
  let closed: Promise<void> | undefined;
  try {
    if (fork) await fetchAhead(fork, { engine, settings });
    wait?.[Symbol.dispose]();
    recorder.starts(genesisTimestamp, offset, chain.latest);
    if (config.record !== undefined) recorder.open(config.record);
    if (hooks.log) recorder.writeTo(hooks.log);
    if (replay?.from) await startAs(replay.from.running, runningParts);
    else await sequencer.start();
    const { maxStateSize: limit, stateFiles } = config;
    const { onProgress } = hooks;
    if (fork && !store.reopened) await loadAccountsFile(stateFiles, { limit, onProgress }, context.controls);
    writeConfigFile({ ...config, ...forked?.here }, { accounts, genesisTimestamp });
  } catch (error) {
    // Ticks may already be running.
    forking.close();
    await sequencer.stop().finally(() => store.close());
    engine.close();
    throw error;
  }
  store.goOnPruning();
  const dumps = new StateDumps(
    config.stateFiles,
    { chainId: config.chainId, forks: schedule },
    { clock: replay?.wall ?? wall, freeze: context.freeze, onError },
  );
  const close = async () => {
    listeners.provider.close();
    try {
      await dumps.stop();
      // Closed first, so that no request to the forked node delays the end.
      const summary = forking.fork && forkSummary(forking.fork);
      if (summary) hooks.onFork?.(summary);
      forking.close();
      await listeners.stop();
      dispatcher.close();
      own?.close();
      // Not logged any more: the log's next leader continues the open block.
      recorder.writeTo(undefined);
      await sequencer.stop();
      recorder.close();
      await dumps.last(() => chain.freeze());
      if (store.meta.get(TIME_OFFSET) !== time.offset) await store.meta.put(TIME_OFFSET, time.offset);
    } finally {
      await store.close();
      engine.close();
      await stackTraces.close();
    }
  };
  return {
    clock,
    chain,
    feed,
    sequencer,
    dispatcher,
    provider: listeners.provider,
    accounts,
    genesisTimestamp,
    fork: forked,
    replica,
    repaired: store.repaired && { batches: store.repaired.batches, head: store.repaired.head.number },
    adopt: (encoded) => adoptBlock(encoded, { chain, decoder, engine, feed, mempool, sequencer }),
    submit: async (raw, from, conditions) => {
      await sequencer.submit(transactionOf(sent, raw, from?.bytes, conditions));
    },
    capture: async ({ dir, whole, began }) => {
      await store.settled();
      return sequencer.inTurn('outside', async () => {
        const state = forking.fork ? undefined : captureRunning(runningParts);
        if (!state) return undefined;
        began();
        return { running: state, store: await store.copy(dir, { whole }) };
      });
    },
    call: (method, params) => (own ?? dispatcher).request(method, params),
    failNext: (points) =>
      current.failNext(points === undefined ? undefined : { points, error: refusedWhenRecorded() }),
    leaveOut: (hashes) =>
      current.leaveOut(hashes.length === 0 ? undefined : { hashes, error: refusedWhenRecorded() }),
    expire: () => current.expireNow(new DevnetError('timedOut', { ms: config.rpcTimeout })),
    logTo: (log) => recorder.writeTo(log),
    finishImport: async (number) => {
      chain.finalizeTo(number);
      if (config.keepsGasLimit)
        await sequencer.configure('outside', { gasLimit: chain.latest.header.gasLimit });
    },
    listen: listeners.listen,
    listenIpc: listeners.listenIpc,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** In a replay: the error that represents the forked node's failure in the recording. */
function refusedWhenRecorded(): DevnetError {
  return new DevnetError('remoteFailed', { host: 'of the recording', method: 'it', reason: 'refused' });
}

/** Whether no dev write has changed the block's state. @param root state root with which the block was made */
function isUntouched({ state }: TrieBlock, root: Uint8Array): boolean {
  return equalsBytes(root, state.root);
}
