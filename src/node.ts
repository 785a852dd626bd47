import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type Address, equalsBytes } from '@ethereumjs/util';
import { type DevAccount, deriveAccounts } from './accounts.ts';
import { Chain } from './chain/chain.ts';
import type { TrieBlock } from './chain/open-block.ts';
import type { BlockStore } from './chain/store/block-store.ts';
import { type Clock, ManualClock, SystemClock } from './clock.ts';
import { DevnetError } from './errors.ts';
import { SettableChainId } from './evm/chain-id.ts';
import { chooseCrypto, recoverAuthority } from './evm/crypto.ts';
import { Engine } from './evm/engine.ts';
import { codeSizeLimit, singleFork } from './evm/fork.ts';
import { scheduleOf } from './evm/genesis-schedule.ts';
import { Turns } from './evm/turns.ts';
import { TransactionDecoder } from './mempool/decode.ts';
import { Mempool } from './mempool/mempool.ts';
import { openChainStore } from './open-chain-store.ts';
import { PRESETS } from './options/mining.ts';
import type { Config } from './options.ts';
import { Recorder } from './recorder/recorder.ts';
import { ALIASES } from './rpc/aliases.ts';
import { Confirmations } from './rpc/confirmations.ts';
import type { RpcContext } from './rpc/context.ts';
import { Delivery } from './rpc/delivery.ts';
import { type CallReport, Dispatcher } from './rpc/dispatch.ts';
import { feeRules } from './rpc/fee-rules.ts';
import { Filters } from './rpc/filters.ts';
import { type Forward, forwarding } from './rpc/forwarding.ts';
import { asHardhat } from './rpc/hardhat-errors.ts';
import { InProcessProvider } from './rpc/in-process-provider.ts';
import { METHODS } from './rpc/methods/index.ts';
import { poolReader } from './rpc/pool-reader.ts';
import { shapesOf } from './rpc/shapes.ts';
import { Signers } from './rpc/signers.ts';
import { Subscriptions } from './rpc/subscriptions.ts';
import { adoptBlock } from './sequencer/adopt-block.ts';
import { buildAside } from './sequencer/build-aside.ts';
import { ChainTime, TIME_OFFSET } from './sequencer/chain-time.ts';
import { Controls } from './sequencer/controls.ts';
import { Feed } from './sequencer/feed.ts';
import type { Pause } from './sequencer/fill.ts';
import { History } from './sequencer/history.ts';
import { type MiningMode, preconfirms } from './sequencer/mode.ts';
import { Replica } from './sequencer/replica.ts';
import { Sequencer } from './sequencer/sequencer.ts';
import { Settings, seedOf } from './sequencer/settings.ts';
import { TaskClock } from './sequencer/task-clock.ts';
import { CallCounts } from './server/call-counts.ts';
import { FlashblockStream } from './server/flashblocks.ts';
import { statusPages } from './server/pages.ts';
import { RpcServer } from './server/server.ts';
import { Caller } from './simulate/caller.ts';
import { Simulator } from './simulate/simulator.ts';
import { Tracing } from './simulate/tracing.ts';
import { dumpStateFile, loadStateFile } from './state-file.ts';
import { warmUp } from './warm-up.ts';

/** What was given up when a damaged directory was repaired. */
export interface Repaired {
  /** blocks and dev writes that are lost */
  readonly batches: number;
  /** number of the block that is the head now */
  readonly head: bigint;
}

/** A running node: every actor, and how to end it. */
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
  /**
   * Puts a block from outside (its RLP) on the head, or passes over one that is there. Only where nothing is mined.
   * @returns its number; throws BadBlock when it breaks a rule
   */
  adopt(encoded: Uint8Array): Promise<bigint>;
  /**
   * Takes a transaction as a recording has it.
   * @param from the sender, where it was impersonated
   */
  submit(raw: Uint8Array, from?: Address): Promise<void>;
  /** After the last block from outside: the chain up to `number` is final, and what is built goes on from there. */
  finishImport(number: bigint): Promise<void>;
  /** What a stream of another node shows here. Only where nothing is mined. */
  readonly replica: Replica;
  /** Opens the port. @returns `http://host:port`; throws EADDRINUSE */
  listen(host: string, port: number): Promise<string>;
  /** Stops accepting, seals the open block if it has transactions, closes the store. */
  close(): Promise<void>;
}

export interface NodeHooks {
  readonly version: string;
  /** A block can't be made or stored any more. */
  readonly onFatal: (error: unknown) => void;
  /** A slow WebSocket reader lost so many messages: told when it has caught up, or left. */
  readonly onDropped?: (messages: number) => void;
  readonly onCall?: (report: CallReport) => void;
  /** Listens from the first event on. */
  readonly onFeed?: (feed: Feed) => void;
  /** Where nothing is mined: the node that takes transactions and all that changes the chain. */
  readonly forward?: Forward;
  /** What contracts print with console.log, in transactions, calls and estimates. */
  readonly onConsole?: (line: string) => void;
  /** Time and its pace come from a recording. */
  readonly replay?: ReplaySource;
}

/** What a replay gives a node instead of the system's clock. */
export interface ReplaySource {
  /** drives the chain */
  readonly clock: Clock;
  /** measures work */
  readonly wall: Clock;
  /** chain time less the clock's, milliseconds */
  readonly offset: number;
  readonly pause: Pause;
}

/** Builds every actor and starts the chain. The only place that knows them all. */
export async function createNode(config: Config, hooks: NodeHooks): Promise<Node> {
  const { replay } = hooks;
  const wall = replay?.wall ?? new SystemClock();
  const crypto = await chooseCrypto();
  const overrides = config.codeSizeLimit === undefined ? {} : codeSizeLimit(config.codeSizeLimit);
  const schedule = new SettableChainId(
    config.genesis
      ? scheduleOf(config.genesis.config, crypto)
      : singleFork(config.chainId, config.hardfork, crypto, overrides),
  );
  const { count, mnemonic, derivationPath: path } = config.accounts;
  const accounts = deriveAccounts({ mnemonic, path, count });
  const decoder = new TransactionDecoder(
    { transactionGasCap: config.transactionGasCap, overrides },
    // The sequencer, which is made below, knows what comes next; nothing is decoded without a header before it.
    { common: () => sequencer.nextFees().fork.common },
  );
  const store = await openChainStore(config, {
    schedule,
    accounts: accounts.map(({ address }) => address),
    decoder,
    now: () => wall.now(),
    version: hooks.version,
    onPruneError: (error) => process.emitWarning(error instanceof Error ? error : String(error)),
  });
  const chain = new Chain(
    {
      slotsInAnEpoch: BigInt(config.slotsInAnEpoch),
      keepBlocks: config.pruneHistory,
      slotMs: config.preset === 'base-denim' ? PRESETS['base-denim'].blockTime : undefined,
    },
    { store },
  );
  const clock =
    replay?.clock ??
    (config.manualClock ? new ManualClock(Number(chain.latest.header.timestamp) * 1000) : wall);
  const taskClock = new TaskClock({ clock });
  const offset = replay?.offset ?? (await timeOffset(config, { chain, store, clock }));
  const time = new ChainTime({ offset, allowEqual: config.allowEqualTimestamps }, { clock: taskClock });
  const engine = new Engine(
    { unlimitedCodeSize: false },
    {
      schedule,
      recoverAuthority: (tuple) => recoverAuthority(tuple, crypto),
      onConsole: hooks.onConsole,
      turns: new Turns({ wall, pause: () => setImmediate() }),
    },
  );
  const mempool = new Mempool({ maxSize: config.limits.poolSize });
  const { coinbase, extraData } = config;
  const gasLimit = config.keepsGasLimit ? chain.latest.header.gasLimit : config.gasLimit;
  const settings = new Settings(
    { seed: seedOf(config.seed), every: { coinbase, gasLimit, extraData } },
    { time },
  );
  const onError = (error: unknown) => process.emitWarning(error instanceof Error ? error : String(error));
  const feed = new Feed({ onError });
  const delivery = new Delivery({ clock: wall, onError });
  hooks.onFeed?.(feed);
  const fromGenesis = chain.latest.header.number === 0n && isUntouched(chain.latest);
  const recorder = new Recorder({ options: config.recorded, fromGenesis }, { clock: taskClock, feed });
  const yields = replay?.pause ?? (() => setImmediate());
  const sequencer = new Sequencer(
    {
      mode: config.mining,
      order: config.order,
      gasCap: config.transactionGasCap,
      minGasPrice: config.minGasPrice,
    },
    {
      chain,
      engine,
      mempool,
      settings,
      clock: taskClock,
      wall,
      feed,
      pause: (done) => recorder.pause(done, () => yields(done)),
      progress: (done) => recorder.progress(done),
      inputs: recorder,
      onFatal: hooks.onFatal,
    },
  );
  const caller = new Caller(
    { gasLimit: config.limits.callGas, gasCap: config.transactionGasCap },
    { engine, hashOf: (number) => chain.hashOf(number) },
  );
  const simulator = new Simulator(
    {
      gasLimit: config.limits.callGas,
      stateRoot: config.simulateStateRoot,
      timeIncrement: () => timeIncrement(sequencer.mode),
    },
    {
      engine,
      hashOf: (number) => chain.hashOf(number),
      headerOf: (hash) => store.getBlock(hash)?.header,
    },
  );
  const compat = config.compat ?? 'anvil';
  const dev = { sequencer, chain, mempool, settings, feed };
  const history = new History(dev);
  store.keepRoots(() => history.snapshots.map(([, { stateRoot }]) => stateRoot));
  const instance = {
    id: new Uint8Array(randomBytes(32)),
    logs: true,
    mode: config.mining,
    flashblockInterval: 'flashblockInterval' in config.mining ? config.mining.flashblockInterval : 200,
    hardfork: config.hardfork,
    order: config.order,
  };
  const context: RpcContext = {
    chain,
    get chainId() {
      return schedule.chainId;
    },
    clientVersion: `anvil/v1.7.1/devnet/${hooks.version}`,
    accounts,
    pool: poolReader({ chain, mempool, hidden: () => preconfirms(sequencer.mode) }),
    fees: feeRules(schedule, () => sequencer.nextFees()),
    caller,
    simulator,
    sequencer,
    history,
    controls: new Controls(dev),
    decoder,
    preimageOf: (hash) => chain.preimageOf(hash),
    signers: new Signers({ accounts, impersonateAll: config.autoImpersonate }),
    shapes: shapesOf(compat),
    instance,
    setChainId: (chainId) => schedule.setChainId(chainId),
    forks: schedule,
    tracing: new Tracing({ engine, chain, hashOf: (number) => chain.hashOf(number), caller }),
    buildAside: (parent, plan, transactions) =>
      buildAside(
        parent,
        plan,
        transactions,
        { order: config.order, gasCap: config.transactionGasCap },
        { chain, engine, mempool, wall, pause: () => setImmediate() },
      ),
    recording: {
      start: (path) => {
        try {
          recorder.open(path);
        } catch (error) {
          throw new DevnetError('server', { reason: (error as Error).message });
        }
      },
      stop: () => recorder.close(),
    },
    methodNames: METHODS.map(({ name }) => name),
    subscriptions: new Subscriptions(
      { perConnection: config.limits.subscriptions },
      { feed, mempool, delivery },
    ),
    filters: new Filters({ most: config.limits.filters }, { feed, mempool, clock: wall }),
    confirmations: new Confirmations({ chain, feed, clock: wall }),
    ...(clock instanceof ManualClock && { manualClock: clock }),
  };
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
      methods: hooks.forward ? forwarding(METHODS, hooks.forward) : METHODS,
      aliases: ALIASES,
      context,
      clock: wall,
      onCall,
      record: (method, params, run) => recorder.call(method, params, run),
      ...(compat === 'hardhat' && { reword: asHardhat }),
    },
  );
  const replica = new Replica(
    { gasCap: config.transactionGasCap },
    { chain, decoder, engine, feed, sequencer },
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
  let closed: Promise<void> | undefined;
  let warming: Promise<void> | undefined;
  try {
    recorder.started(store.header(0n)!.timestamp, offset);
    if (config.record !== undefined) recorder.open(config.record);
    await sequencer.start();
    await loadStateFile(config.stateFiles, context);
  } catch (error) {
    // Ticks may be under way already.
    await sequencer.stop().finally(() => store.close());
    throw error;
  }
  const close = async () => {
    provider.close();
    await Promise.all([server?.stop(), stream.stop()]);
    try {
      await warming;
      await sequencer.stop();
      recorder.close();
      dumpStateFile(config.stateFiles, context);
      if (store.meta.get(TIME_OFFSET) !== time.offset) await store.meta.put(TIME_OFFSET, time.offset);
    } finally {
      await store.close();
    }
  };
  return {
    clock,
    chain,
    feed,
    sequencer,
    dispatcher,
    provider,
    accounts,
    genesisTimestamp: store.header(0n)!.timestamp,
    replica,
    repaired: store.repaired && { batches: store.repaired.batches, head: store.repaired.head.number },
    adopt: (encoded) => adoptBlock(encoded, { chain, decoder, engine, feed, mempool, sequencer }),
    submit: (raw, from) => {
      if (!from) return sequencer.submit(decoder.decode(raw));
      const tx = decoder.decodeStored(raw);
      return sequencer.submit({ tx, from, hash: tx.hash(), raw, impersonated: true });
    },
    finishImport: async (number) => {
      chain.finalizeTo(number);
      if (config.keepsGasLimit) await sequencer.configure({ gasLimit: chain.latest.header.gasLimit });
    },
    listen: async (host, port) => {
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
      if ('blockTime' in config.mining) warming = warmUp(chain, simulator).catch(hooks.onFatal);
      return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
    },
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/**
 * How far chain time is from the clock, in milliseconds. A genesis time that was asked for is where chain time begins; a
 * reopened chain goes on in the time that it had, and not behind its head.
 */
async function timeOffset(
  config: Config,
  { chain, store, clock }: { chain: Chain; store: BlockStore; clock: Clock },
): Promise<number> {
  const head = Number(chain.latest.header.timestamp) * 1000;
  const fromHead = head - clock.now();
  // A manual clock begins at the head.
  if (config.manualClock) return fromHead;
  const stored = store.meta.get(TIME_OFFSET);
  if (typeof stored === 'number') {
    // A block that was sealed before its time is ahead by less than a block.
    const ahead = 'blockTime' in config.mining ? config.mining.blockTime : 0;
    return fromHead > stored + ahead ? fromHead : stored;
  }
  const offset = config.timestamp === undefined ? 0 : fromHead;
  await store.meta.put(TIME_OFFSET, offset);
  return offset;
}

/** No dev write changed the state of the block. */
function isUntouched({ header, state }: TrieBlock): boolean {
  return equalsBytes(header.stateRoot, state.root);
}

/** Seconds between simulated blocks: the block time rounded up, or geth's 12 where blocks have no rhythm (SPEC 4). */
function timeIncrement(mode: MiningMode): bigint {
  return 'blockTime' in mode ? BigInt(Math.ceil(mode.blockTime / 1000)) : 12n;
}
