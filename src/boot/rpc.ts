import { randomBytes } from 'node:crypto';
import { hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { DevAccount } from '../accounts.ts';
import { loadAccounts } from '../anvil-state/load-accounts.ts';
import { readDump } from '../anvil-state/read-dump.ts';
import { dumpPieces } from '../anvil-state/write-dump.ts';
import type { Chain } from '../chain/chain.ts';
import type { BlockStore } from '../chain/store/block-store.ts';
import { type Clock, ManualClock } from '../clock.ts';
import { Executions } from '../debugger/executions.ts';
import type { Engine } from '../engine/engine.ts';
import { DevnetError } from '../errors.ts';
import { Caller, type CallerDeps } from '../execution/call.ts';
import type { Execution } from '../execution/execution.ts';
import { Simulator } from '../execution/simulate/simulator.ts';
import { Tracing } from '../execution/trace.ts';
import type { Blobs } from '../mempool/blobs.ts';
import type { SentTransactionDecoder } from '../mempool/decode-sent.ts';
import type { Mempool } from '../mempool/mempool.ts';
import type { Config } from '../options/options.ts';
import { isBase } from '../options/presets.ts';
import { sharedOptions } from '../options/recorded.ts';
import { garbageCollector, type ProcessMemory } from '../process/collect-garbage.ts';
import type { SettableChainId } from '../protocol/chain-id.ts';
import type { Crypto } from '../protocol/crypto.ts';
import type { Recorder } from '../recorder/recorder.ts';
import { ALIASES } from '../rpc/aliases.ts';
import { METHODS } from '../rpc/all-methods.ts';
import type { FailedCall } from '../rpc/compat/hardhat-errors.ts';
import { shapesOf } from '../rpc/compat/shapes.ts';
import type { Instance, RpcContext } from '../rpc/context.ts';
import { type CallReport, Dispatcher } from '../rpc/dispatch.ts';
import { overFork } from '../rpc/fork/forwarding.ts';
import { ForkReader } from '../rpc/fork/reader.ts';
import { type Forward, forwarding } from '../rpc/forwarding.ts';
import type { ConnectionState, Member } from '../rpc/member.ts';
import { Delivery } from '../rpc/push/delivery.ts';
import { Filters } from '../rpc/push/filters.ts';
import { Subscriptions } from '../rpc/push/subscriptions.ts';
import { AddressIndex } from '../rpc/read/address-index.ts';
import { failedPrecompile, failureTrace } from '../rpc/read/failure-trace.ts';
import { feeRules } from '../rpc/read/fee-rules.ts';
import { FlashblockMemory } from '../rpc/read/flashblock-memory.ts';
import { FlashblockViews } from '../rpc/read/flashblock-views.ts';
import { HashedKeys } from '../rpc/read/hashed-keys.ts';
import { HeldLookups } from '../rpc/read/held-lookups.ts';
import { poolReader } from '../rpc/read/pool.ts';
import { TransactionLifecycles } from '../rpc/read/transaction-lifecycles.ts';
import { Confirmations } from '../rpc/send/confirmations.ts';
import { Signers } from '../rpc/send/signers.ts';
import { Controls } from '../sequencer/controls.ts';
import type { CurrentTask } from '../sequencer/current-task.ts';
import type { Feed } from '../sequencer/feed/feed.ts';
import type { Assembler } from '../sequencer/mining/assembler.ts';
import { buildAside } from '../sequencer/mining/build-aside.ts';
import { type MiningMode, preconfirms } from '../sequencer/mining/mode.ts';
import type { Replica } from '../sequencer/outside/replica.ts';
import type { History } from '../sequencer/rewrite/history.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { Settings } from '../sequencer/settings.ts';
import type { CallCounts } from '../server/call-counts.ts';
import { BuildFolder } from '../sources/build-folder.ts';
import type { Contracts } from '../sources/contracts.ts';
import { NAMED_PRECOMPILES } from '../stack-trace/precompile.ts';
import { stackText, tellSource } from '../stack-trace/stack-text.ts';
import type { StackTrace } from '../stack-trace/stack-trace.ts';
import type { StackTraceThread } from '../stack-trace/thread.ts';
import { type Awaitable, andThen } from '../state/view.ts';
import type { Forking } from './forking.ts';

/** The parts of a node that the RPC context and the listeners use. */
export interface NodeParts {
  readonly chain: Chain;
  readonly forking: Forking;
  readonly store: BlockStore;
  readonly engine: Engine;
  readonly assembler: Assembler;
  readonly current: CurrentTask;
  readonly schedule: SettableChainId;
  /** decodes sent transactions under the rules of the next block */
  readonly decoder: SentTransactionDecoder;
  readonly blobs: Blobs;
  readonly accounts: readonly DevAccount[];
  readonly crypto: Crypto;
  readonly mempool: Mempool;
  readonly settings: Settings;
  readonly feed: Feed;
  /** sends notifications to subscribers and stream readers */
  readonly delivery: Delivery;
  readonly sequencer: Sequencer;
  readonly history: History;
  readonly recorder: Recorder;
  readonly replica: Replica;
  /** schedules the blocks and gives their timestamps */
  readonly clock: Clock;
  /** the compiled contracts of the project */
  readonly contracts: Contracts;
  readonly stackTraces: StackTraceThread;
  /** measures durations */
  readonly wall: Clock;
  /** called with errors of work that no caller waits for */
  readonly onError: (error: unknown) => void;
}

/** Maximum number of addresses in the index of `ots_` searches: about 30 MB. */
const REMEMBERED_ADDRESSES = 200_000;

/** Maximum number of cached mapping keys, by hash: about 40 MB. */
const REMEMBERED_KEYS = 200_000;

/** Maximum number of flashblocks for `devnet_flashblocks`: one minute at 200 ms. */
const REMEMBERED_FLASHBLOCKS = 300;

/** Makes the dependencies to execute a node's transactions and calls again. */
export function executionOf(
  config: Config,
  { chain, forking, engine, crypto }: Pick<NodeParts, 'chain' | 'forking' | 'engine' | 'crypto'>,
): Execution {
  const shapes = shapesOfConfig(config);
  return {
    engine,
    engineName: config.engine,
    crypto,
    calls: {
      gasLimit: config.callGasLimit,
      gasCap: config.transactionGasCap,
      style: shapes.calls,
      anyoneTransfers: shapes.anyoneTransfers,
      gasInside: shapes.gasInside,
      suggestedTip: config.suggestedTip,
    },
    // On a forked chain, a block that this chain doesn't have may be on the other chain.
    chain: {
      get genesis() {
        return chain.genesis;
      },
      resolve: (ref) => {
        const { context: fork } = forking;
        return (fork ? new ForkReader({}, { chain, fork }) : chain).resolve(ref);
      },
    },
    hashOf: (number) => chain.blockHash(number),
  };
}

const shapesOfConfig = ({ dialect, preset, asked }: Config) =>
  shapesOf(dialect, preset !== undefined && !asked.compat);
/** Minimum number of transactions whose history `devnet_transactionStatus` knows. Up to twice as many are kept, about 8 MB. */
const REMEMBERED_TRANSACTIONS = 10_000;

/** Makes the context for the handlers of RPC methods. @param facts.version this package's version */
export function rpcContext(
  config: Config,
  {
    version,
    role,
    member,
    followed,
    onAnswer,
    onEstimate,
  }: {
    version: string;
    role: Instance['role'];
    member?: Member | undefined;
    followed?: (() => ConnectionState) | undefined;
    onAnswer?: CallerDeps['onAnswer'];
    onEstimate?: CallerDeps['onEstimate'];
  },
  parts: NodeParts,
): RpcContext {
  const { chain, forking, store, engine, assembler, schedule, decoder, accounts, mempool, settings } = parts;
  const {
    feed,
    sequencer,
    current,
    replica,
    history,
    recorder,
    contracts,
    stackTraces,
    clock,
    wall,
    onError,
  } = parts;
  const shapes = shapesOfConfig(config);
  const again = executionOf(config, parts);
  const { hashOf } = again;
  const caller = new Caller(again.calls, { engine, hashOf, onAnswer, onEstimate });
  const simulator = new Simulator(
    {
      gasLimit: config.callGasLimit,
      stateRoot: config.simulateStateRoot,
      timeIncrement: () => timeIncrement(sequencer.mode),
    },
    {
      engine,
      hashOf,
      headerOf: (hash) => store.getBlock(hash)?.header,
      contracts,
    },
  );
  const tracing = new Tracing({ engine, chain: again.chain, hashOf, caller });
  const instance = {
    id: new Uint8Array(randomBytes(32)),
    logs: true,
    mode: config.mining,
    flashblockInterval: config.flashblockInterval,
    hardfork: config.hardfork,
    role,
    order: config.order,
  };
  let headSince = wall.now();
  const noteHead = () => {
    headSince = wall.now();
  };
  feed.on('sealed', noteHead);
  feed.on('rewound', noteHead);
  const freeze = () => sequencer.inTurn('outside', () => chain.freeze());
  const controls = new Controls(
    { spacesFirstBlock: config.spacesFirstBlock },
    { sequencer, chain, mempool, settings, feed, assembler, current },
  );
  const flashblocks = new FlashblockMemory({ most: REMEMBERED_FLASHBLOCKS }, { feed, clock: wall });
  const published = () => [...sequencer.published, ...replica.published];
  const views = new FlashblockViews({ memory: flashblocks, chain, assembler, published });
  chain.readFlashblocksWith((number, index) => views.at(number, index));
  return {
    chain,
    cause: 'outside',
    get chainId() {
      return schedule.chainId;
    },
    clientVersion: `${shapes.client}/devnet/${version}`,
    headSince: () => headSince,
    accounts,
    pool: poolReader({
      chain,
      mempool,
      preconfirms: () => preconfirms(sequencer.mode),
      lookups: new HeldLookups({ callTimeout: config.rpcTimeout }, { mempool, feed, sequencer, clock: wall }),
    }),
    fees: feeRules(
      config,
      schedule,
      () => sequencer.nextFees(),
      () => sequencer.baseFeeAfterOpen,
    ),
    caller,
    // `this` in the getters and methods below is the request's context, which inherits from this one.
    simulator,
    contracts,
    builds: new BuildFolder({ folder: config.artifacts }),
    artifacts: config.artifacts,
    stackTraces,
    executions: new Executions({ clock: wall }),
    sequencer,
    flashblocks,
    lifecycles: new TransactionLifecycles({ most: REMEMBERED_TRANSACTIONS }, { feed, mempool, clock: wall }),
    published,
    history,
    controls,
    decoder,
    blobs: parts.blobs,
    freeze,
    async dump(history) {
      return dumpPieces(await freeze(), { chainId: config.chainId, forks: schedule, history }, this.pauses);
    },
    async loadDump(cause, file) {
      const dump = await readDump(file, { limit: config.maxStateSize, pauses: this.pauses });
      await loadAccounts(cause, controls, dump);
    },
    chainOptions: () => sharedOptions(config, accounts),
    signers: new Signers({ accounts, impersonateAll: config.autoImpersonate }),
    shapes,
    refusesLongWaits: isBase(config.preset),
    instance,
    member,
    followed,
    get fork() {
      return forking.context;
    },
    refork: (cause, target) =>
      forking.refork(cause, target, { engine, schedule, history, settings, recorder }),
    redirectFork: (url) => forking.redirect(url),
    impersonateSignature: (cause, signature, signer) =>
      sequencer.inTurn(cause, async () => engine.signatures.set(signature, signer)),
    setChainId: (chainId) => schedule.setChainId(chainId),
    forks: schedule,
    get tracing() {
      return this.pauses ? tracing.within(this.pauses) : tracing;
    },
    hashedKeys: new HashedKeys({ most: REMEMBERED_KEYS }),
    addresses: new AddressIndex({ most: REMEMBERED_ADDRESSES }, { tracing }),
    database: store,
    buildAside: (parent, plan, transactions) => buildAside(parent, plan, transactions, { assembler }),
    recording: {
      get running() {
        return recorder.running;
      },
      start: (path) => {
        try {
          recorder.open(path);
        } catch (error) {
          throw new DevnetError('server', { reason: (error as Error).message });
        }
      },
      stop: () => recorder.close(),
      as: (method, params, run) => recorder.call(method, params, run),
    },
    methodNames: METHODS.map(({ name }) => name),
    subscriptions: new Subscriptions(
      { perConnection: config.maxSubscriptions },
      { feed, mempool, delivery: parts.delivery },
    ),
    filters: new Filters(
      { most: config.maxFilters },
      { feed, mempool, clock: wall, delivery: new Delivery({ onError }) },
    ),
    confirmations: new Confirmations({ chain, feed, clock: wall }),
    ...(clock instanceof ManualClock && { manualClock: clock }),
  };
}

export interface DispatcherHooks {
  readonly onCall?: (report: CallReport) => void;
  /** On a follower: sends a call to the node that makes the blocks. */
  readonly forward?: Forward;
  /** Memory control of a process that only runs this node; `undefined` if the node is part of another program. */
  readonly memory?: ProcessMemory | undefined;
  /** On a follower that can take over making blocks: whether it does so now. */
  readonly isLeader?: () => boolean;
}

/** Makes the dispatcher of JSON-RPC requests for all transports. @param deps.calls counts the calls */
export function rpcDispatcher(
  config: Config,
  hooks: DispatcherHooks,
  deps: { context: RpcContext; engine: Engine; recorder: Recorder; wall: Clock; calls: CallCounts },
): Dispatcher {
  const { context, engine, recorder, wall, calls } = deps;
  const onCall = (report: CallReport) => {
    calls.add(report);
    // Doesn't log calls of the explorer page, except internal errors of the node.
    const isReported =
      !report.isOfPage || (report.error !== undefined && !(report.error instanceof DevnetError));
    if (isReported && context.instance.logs) hooks.onCall?.(report);
  };
  const { memory } = hooks;
  const collectGarbage = garbageCollector({
    clock: wall,
    collect: memory?.collect,
    drop: () => engine.dropCaches(),
  });
  const { maxBatchSize: batchLimit, maxResponseSize: responseLimit, rpcTimeout } = config;
  return new Dispatcher(
    { batchLimit, responseLimit, ...(rpcTimeout > 0 && { timeoutMs: rpcTimeout }) },
    {
      methods: hooks.forward ? forwarding(METHODS, hooks.forward, hooks.isLeader) : overFork(METHODS),
      aliases: ALIASES,
      context,
      clock: wall,
      onCall,
      onBusy: () => memory?.limit(true),
      onQuiet: (isQuiet) => {
        memory?.limit(false);
        collectGarbage(isQuiet);
      },
      // Forwarded calls aren't recorded: another node executes them.
      record: (method, params, run) => {
        if (hooks.forward && !hooks.isLeader?.()) return run('outside');
        // Checked before the call begins: otherwise a tick on the manual clock would wait until the chain can be changed again.
        const halt = context.member?.haltReason();
        if (halt) throw halt;
        return recorder.call(method, params, run);
      },
      reword: (error, call) => reworded(context, error, call),
      expire: (call, error) => context.sequencer.expire(call, error),
      together: (run) => context.sequencer.together(run),
    },
  );
}

/** Rewords an error for the dialect: with the names of custom errors, and in Hardhat's dialects with the source position. */
function reworded(
  context: RpcContext,
  error: DevnetError,
  call: FailedCall | undefined,
): Awaitable<DevnetError> {
  const { shapes, stackTraces, contracts } = context;
  const { kind, data } = error;
  if (kind !== 'reverted' && kind !== 'vmError') return shapes.reword(error, call);
  const reverted = kind === 'reverted' && typeof data === 'string' ? data : undefined;
  const custom =
    reverted === undefined ? undefined : contracts.errorIn(hexToBytes(reverted as PrefixedHexString));
  if (!shapes.tellsSource || !(stackTraces.mayKnow || (reverted ?? '0x') === '0x'))
    return andThen(custom, (found) => shapes.reword(error, call, found));
  if (!stackTraces.mayKnow)
    return failedPrecompile(context, error, call).then((sentence) =>
      shapes.reword(error, call, undefined, sentence),
    );
  return failureTrace(context, error, call).then(async (trace) => {
    const said = shapes.reword(error, call, await custom, trace && sentenceOf(trace));
    if (!trace) return said;
    const solidity = stackText(trace);
    // Not enumerable, so that a printed error shows the source position only in its stack.
    Object.defineProperty(said, 'solidity', { value: solidity });
    tellSource(said, solidity);
    return said;
  });
}

/** Hardhat's error sentence; `undefined` if the ABIs of all contracts give more information, or the transaction ran out of gas. */
function sentenceOf({ message, frames }: StackTrace): string | undefined {
  const last = frames.at(-1);
  const isUnknown =
    last === undefined ||
    // A function outside of contracts has a file.
    (last.contract === undefined &&
      last.file === undefined &&
      !((last.precompile ?? Infinity) <= NAMED_PRECOMPILES)) ||
    /unrecognized custom error|ran out of gas$/.test(message);
  return isUnknown ? undefined : message;
}

/** Seconds between simulated blocks: the block time rounded up, or geth's 12 in modes without a block time. */
function timeIncrement(mode: MiningMode): bigint {
  return 'blockTime' in mode ? BigInt(Math.ceil(mode.blockTime / 1000)) : 12n;
}
