import { randomBytes } from 'node:crypto';
import type { DevAccount } from '../accounts.ts';
import { loadAccounts } from '../anvil-state/load-accounts.ts';
import { readDump } from '../anvil-state/read-dump.ts';
import { dumpTexts } from '../anvil-state/write-dump.ts';
import type { Chain } from '../chain/chain.ts';
import type { ChainReader } from '../chain/refs.ts';
import type { BlockStore } from '../chain/store/block-store.ts';
import { type Clock, ManualClock } from '../clock.ts';
import { DevnetError } from '../errors.ts';
import type { SettableChainId } from '../evm/chain-id.ts';
import type { Engine } from '../evm/engine.ts';
import { Caller } from '../execution/call.ts';
import { prefetch } from '../execution/prefetch.ts';
import { Simulator } from '../execution/simulate/simulator.ts';
import { Tracing } from '../execution/trace.ts';
import type { Blobs } from '../mempool/blobs.ts';
import type { TransactionDecoder } from '../mempool/decode.ts';
import type { Mempool } from '../mempool/mempool.ts';
import type { Config } from '../options/options.ts';
import type { Recorder } from '../recorder/recorder.ts';
import { ALIASES } from '../rpc/aliases.ts';
import { METHODS } from '../rpc/all-methods.ts';
import { SHAPES } from '../rpc/compat/shapes.ts';
import type { RpcContext } from '../rpc/context.ts';
import { type CallReport, Dispatcher } from '../rpc/dispatch.ts';
import { overFork } from '../rpc/fork/forwarding.ts';
import { ForkReader } from '../rpc/fork/reader.ts';
import { type Forward, forwarding } from '../rpc/forwarding.ts';
import { InProcessProvider } from '../rpc/in-process-provider.ts';
import { Delivery } from '../rpc/push/delivery.ts';
import { Filters } from '../rpc/push/filters.ts';
import { Subscriptions } from '../rpc/push/subscriptions.ts';
import { AddressIndex } from '../rpc/read/address-index.ts';
import { feeRules } from '../rpc/read/fee-rules.ts';
import { poolReader } from '../rpc/read/pool.ts';
import { Confirmations } from '../rpc/send/confirmations.ts';
import { Signers } from '../rpc/send/signers.ts';
import { Controls } from '../sequencer/controls.ts';
import type { Feed } from '../sequencer/feed/feed.ts';
import type { BlockAssembler } from '../sequencer/mining/assembler.ts';
import { buildAside } from '../sequencer/mining/build-aside.ts';
import { type MiningMode, preconfirms, sealsEachSend } from '../sequencer/mining/mode.ts';
import type { Replica } from '../sequencer/outside/replica.ts';
import type { History } from '../sequencer/rewrite/history.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { Settings } from '../sequencer/settings.ts';
import { CallCounts } from '../server/call-counts.ts';
import { FlashblockStream } from '../server/flashblocks.ts';
import { RpcIpc } from '../server/ipc.ts';
import { statusPages } from '../server/pages.ts';
import { RpcServer } from '../server/server.ts';
import type { Forking } from './forking.ts';
import { warmUp } from './warm-up.ts';

/** The actors that are served. */
export interface ServedNode {
  readonly chain: Chain;
  readonly forking: Forking;
  readonly store: BlockStore;
  readonly engine: Engine;
  readonly assembler: BlockAssembler;
  readonly schedule: SettableChainId;
  readonly decoder: TransactionDecoder;
  readonly blobs: Blobs;
  readonly accounts: readonly DevAccount[];
  readonly mempool: Mempool;
  readonly settings: Settings;
  readonly feed: Feed;
  readonly sequencer: Sequencer;
  readonly history: History;
  readonly recorder: Recorder;
  readonly replica: Replica;
  /** drives the chain */
  readonly clock: Clock;
  /** measures work */
  readonly wall: Clock;
  /** gets what fails where nobody waits for it */
  readonly onError: (error: unknown) => void;
}

export interface ServiceHooks {
  readonly version: string;
  /** A block can't be made or stored any more. */
  readonly onFatal: (error: unknown) => void;
  /** A slow WebSocket reader lost so many messages: told when it has caught up, or left. */
  readonly onDropped?: (messages: number) => void;
  readonly onCall?: (report: CallReport) => void;
  /** Where nothing is mined: the node that takes transactions and all that changes the chain. */
  readonly forward?: Forward;
}

/** All ways into a node: JSON-RPC in process and over a port, the flashblock stream, the pages. */
export interface Service {
  readonly context: RpcContext;
  readonly dispatcher: Dispatcher;
  readonly provider: InProcessProvider;
  /** Opens the port. @returns `http://host:port`; throws EADDRINUSE */
  listen(host: string, port: number): Promise<string>;
  /** Opens a Unix socket. @throws EADDRINUSE while somebody listens there */
  listenIpc(path: string): Promise<void>;
  /** Takes no more calls; waits for those that run. */
  stop(): Promise<void>;
}

/** Some 30 MB. */
const REMEMBERED_ADDRESSES = 200_000;

/** Builds what serves the actors of a node; nothing here changes the chain but by them. */
export function createService(config: Config, hooks: ServiceHooks, node: ServedNode): Service {
  const { chain, forking, store, engine, assembler, schedule, decoder, accounts, mempool, settings } = node;
  const { feed, sequencer, history, recorder, replica, clock, wall, onError } = node;
  const delivery = new Delivery({ onError });
  const shapes = SHAPES[config.dialect];
  const caller = new Caller(
    { gasLimit: config.limits.callGas, gasCap: config.transactionGasCap, style: shapes.calls },
    { engine, hashOf: (number) => chain.blockHash(number) },
  );
  const simulator = new Simulator(
    {
      gasLimit: config.limits.callGas,
      stateRoot: config.simulateStateRoot,
      timeIncrement: () => timeIncrement(sequencer.mode),
    },
    {
      engine,
      hashOf: (number) => chain.blockHash(number),
      headerOf: (hash) => store.getBlock(hash)?.header,
    },
  );
  // What it looks for and doesn't find may be on the chain that this one was forked from.
  const reader = new ForkReader({ chain });
  const tracedChain: Pick<ChainReader, 'resolve' | 'genesis'> = {
    get genesis() {
      return chain.genesis;
    },
    resolve: (ref) => (forking.fork ? reader : chain).resolve(ref),
  };
  const tracing = new Tracing({
    engine,
    chain: tracedChain,
    hashOf: (number) => chain.blockHash(number),
    caller,
  });
  const instance = {
    id: new Uint8Array(randomBytes(32)),
    logs: true,
    mode: config.mining,
    flashblockInterval: 'flashblockInterval' in config.mining ? config.mining.flashblockInterval : 200,
    hardfork: config.hardfork,
    order: config.order,
  };
  const kept = () => sequencer.inTurn('outside', () => chain.kept());
  const controls = new Controls({ sequencer, chain, mempool, settings, feed });
  const context: RpcContext = {
    chain,
    cause: 'outside',
    get chainId() {
      return schedule.chainId;
    },
    clientVersion: `anvil/v1.7.1/devnet/${hooks.version}`,
    accounts,
    pool: poolReader({ chain, mempool, hidden: () => preconfirms(sequencer.mode) }),
    fees: feeRules(config, schedule, () => sequencer.nextFees()),
    caller,
    simulator,
    sequencer,
    history,
    controls,
    decoder,
    blobs: node.blobs,
    kept,
    dump: async (history) => dumpTexts(await kept(), { chainId: config.chainId, forks: schedule, history }),
    loadDump: (cause, file) => loadAccounts(cause, controls, readDump(file)),
    signers: new Signers({ accounts, impersonateAll: config.autoImpersonate }),
    shapes,
    instance,
    get fork() {
      return forking.context;
    },
    refork: (target) => forking.refork(target, { engine, schedule, history, settings, recorder }),
    redirectFork: (url) => forking.redirect(url),
    impersonateSignature: (cause, signature, signer) =>
      sequencer.inTurn(cause, async () => engine.signatures.set(signature, signer)),
    setChainId: (chainId) => schedule.setChainId(chainId),
    forks: schedule,
    tracing,
    addresses: new AddressIndex({ most: REMEMBERED_ADDRESSES }, { tracing }),
    database: store,
    buildAside: (parent, plan, transactions) => buildAside(parent, plan, transactions, { assembler, engine }),
    recording: {
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
      { perConnection: config.limits.subscriptions },
      { feed, mempool, delivery },
    ),
    filters: new Filters(
      { most: config.limits.filters },
      { feed, mempool, clock: wall, delivery: new Delivery({ onError }) },
    ),
    confirmations: new Confirmations({ chain, feed, clock: wall }),
    ...(clock instanceof ManualClock && { manualClock: clock }),
  };
  mempool.onAdd((transaction) => {
    // A mode that seals each send executes it at once.
    if (!forking.fork || sealsEachSend(sequencer.mode)) return;
    const hashOf = (number: bigint) => chain.blockHash(number);
    // What fails is met again in the block, and told of there.
    prefetch(transaction, chain.latest, { engine, hashOf }).catch(() => {});
  });
  const calls = new CallCounts({ methods: METHODS.map(({ name }) => name) });
  const onCall = (report: CallReport) => {
    calls.add(report);
    if (instance.logs) hooks.onCall?.(report);
  };
  let droppedMessages = 0;
  const onDropped = (messages: number) => {
    droppedMessages += messages;
    hooks.onDropped?.(messages);
  };
  const { batchSize, responseSize, rpcTimeout } = config.limits;
  const dispatcher = new Dispatcher(
    { batchLimit: batchSize, responseLimit: responseSize, ...(rpcTimeout > 0 && { timeoutMs: rpcTimeout }) },
    {
      methods: hooks.forward ? forwarding(METHODS, hooks.forward) : overFork(METHODS),
      aliases: ALIASES,
      context,
      clock: wall,
      onCall,
      record: (method, params, run) => recorder.call(method, params, run),
      reword: shapes.reword,
    },
  );
  const published = () => [...sequencer.published, ...replica.published];
  const provider = new InProcessProvider({ dispatcher });
  const stream = new FlashblockStream(
    { buffer: config.limits.flashblockBuffer },
    {
      feed,
      faults: sequencer.faults,
      delivery,
      published,
      clock: wall,
      onDropped,
    },
  );
  const pages = statusPages(() => ({
    head: chain.latest.header.number,
    preconfirmed: published().at(-1)?.block.transactions.length ?? 0,
    waiting: mempool.size,
    ticks: sequencer.metrics.report(),
    calls: calls.entries(),
    subscriptions: context.subscriptions.size,
    streamReaders: stream.readers,
    droppedMessages,
    mismatches: replica.mismatches,
    memory: process.memoryUsage(),
  }));
  let server: RpcServer | undefined;
  let warming: Promise<void> | undefined;
  const stopping = new AbortController();
  const listen: Service['listen'] = async (host, port) => {
    server = new RpcServer(
      {
        allowHosts: config.allowHost,
        allowOrigin: config.allowOrigin,
        bodyLimit: config.limits.bodySize,
        notificationBuffer: config.limits.notificationBuffer,
        sendBuffer: config.limits.sendBuffer,
      },
      {
        dispatcher,
        clock: wall,
        upgrades: new Map([['/flashblocks', (...args) => stream.upgrade(...args)]]),
        pages,
        onDropped,
      },
    );
    const address = await server.start(host, port);
    // After the port is open, so that nobody waits for it.
    if ('blockTime' in config.mining)
      warming = warmUp(chain, simulator, stopping.signal).catch(hooks.onFatal);
    return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  };
  const { bodySize: bodyLimit, notificationBuffer, sendBuffer } = config.limits;
  const ipc = new RpcIpc(
    { bodyLimit, notificationBuffer, sendBuffer },
    { dispatcher, clock: wall, onDropped },
  );
  const stop = async () => {
    provider.close();
    stopping.abort();
    await Promise.all([server?.stop(), ipc.stop(), stream.stop()]);
    await warming;
  };
  return { context, dispatcher, provider, listen, listenIpc: (path) => ipc.start(path), stop };
}

/** Seconds between simulated blocks: the block time rounded up, or geth's 12 where blocks have no rhythm (SPEC 4). */
function timeIncrement(mode: MiningMode): bigint {
  return 'blockTime' in mode ? BigInt(Math.ceil(mode.blockTime / 1000)) : 12n;
}
