import { setImmediate } from 'node:timers/promises';
import { type DevAccount, deriveAccounts } from './accounts.ts';
import { Chain } from './chain/chain.ts';
import { type Clock, ManualClock, SystemClock } from './clock.ts';
import { chooseCrypto, recoverAuthority } from './evm/crypto.ts';
import { Engine } from './evm/engine.ts';
import { singleFork } from './evm/fork.ts';
import { TransactionDecoder } from './mempool/decode.ts';
import { Mempool } from './mempool/mempool.ts';
import { openChainStore } from './open-chain-store.ts';
import { PRESETS } from './options/mining.ts';
import type { Config } from './options.ts';
import { Confirmations } from './rpc/confirmations.ts';
import type { RpcContext } from './rpc/context.ts';
import { type CallReport, Dispatcher } from './rpc/dispatch.ts';
import { feeRules } from './rpc/fee-rules.ts';
import { Filters } from './rpc/filters.ts';
import { InProcessProvider } from './rpc/in-process-provider.ts';
import { METHODS } from './rpc/methods/index.ts';
import { poolReader } from './rpc/pool-reader.ts';
import { Subscriptions } from './rpc/subscriptions.ts';
import { ChainTime } from './sequencer/chain-time.ts';
import { Feed } from './sequencer/feed.ts';
import { preconfirms } from './sequencer/mode.ts';
import { Sequencer } from './sequencer/sequencer.ts';
import { Settings, seedOf } from './sequencer/settings.ts';
import { CallCounts } from './server/call-counts.ts';
import { FlashblockStream } from './server/flashblocks.ts';
import { statusPages } from './server/pages.ts';
import { RpcServer } from './server/server.ts';
import { Caller } from './simulate/caller.ts';

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
  /** what was given up when a damaged directory was repaired */
  readonly repaired: { readonly batches: number } | undefined;
  /** Opens the port. @returns `http://host:port`; throws EADDRINUSE */
  listen(host: string, port: number): Promise<string>;
  /** Stops accepting, seals the open block if it has transactions, closes the store. */
  close(): Promise<void>;
}

export interface NodeHooks {
  readonly version: string;
  /** A block can't be made or stored any more. */
  readonly onFatal: (error: unknown) => void;
  /** A slow WebSocket reader's connection ended after it lost so many messages. */
  readonly onDropped?: (messages: number) => void;
  readonly onCall?: (report: CallReport) => void;
}

/** Builds every actor and starts the chain. The only place that knows them all. */
export async function createNode(config: Config, hooks: NodeHooks): Promise<Node> {
  const wall = new SystemClock();
  const crypto = await chooseCrypto();
  const schedule = singleFork(config.chainId, config.hardfork, crypto);
  const { count, mnemonic, derivationPath: path } = config.accounts;
  const accounts = deriveAccounts({ mnemonic, path, count });
  const decoder = new TransactionDecoder(
    { transactionGasCap: config.transactionGasCap },
    { common: schedule.at(0n, 0n).common },
  );
  const store = await openChainStore(config, {
    schedule,
    accounts: accounts.map(({ address }) => address),
    decoder,
    now: () => wall.now(),
    version: hooks.version,
  });
  const chain = new Chain(
    {
      slotsInAnEpoch: BigInt(config.slotsInAnEpoch),
      slotMs: config.preset === 'base-denim' ? PRESETS['base-denim'].blockTime : undefined,
    },
    { store },
  );
  const clock = config.manualClock ? new ManualClock(Number(chain.latest.header.timestamp) * 1000) : wall;
  const time = new ChainTime(
    { offset: timeOffset(config, chain, clock), allowEqual: config.allowEqualTimestamps },
    { clock },
  );
  const engine = new Engine(
    { unlimitedCodeSize: false },
    { schedule, recoverAuthority: (tuple) => recoverAuthority(tuple, crypto) },
  );
  const mempool = new Mempool({ maxSize: config.limits.poolSize });
  const { coinbase, gasLimit, extraData } = config;
  const settings = new Settings(
    { seed: seedOf(config.seed), every: { coinbase, gasLimit, extraData } },
    { time },
  );
  const feed = new Feed();
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
      clock,
      wall,
      feed,
      pause: () => setImmediate(),
      onFatal: hooks.onFatal,
    },
  );
  const caller = new Caller(
    { gasLimit: config.limits.callGas, gasCap: config.transactionGasCap },
    { engine, hashOf: (number) => chain.hashOf(number) },
  );
  const context: RpcContext = {
    chain,
    chainId: config.chainId,
    clientVersion: `anvil/v1.7.1/devnet/${hooks.version}`,
    accounts,
    pool: poolReader({ chain, mempool, hidden: () => preconfirms(sequencer.mode) }),
    fees: feeRules(schedule, () => sequencer.nextFees()),
    caller,
    sequencer,
    decoder,
    subscriptions: new Subscriptions({}, { feed, mempool }),
    filters: new Filters({}, { feed, mempool, clock: wall }),
    confirmations: new Confirmations({ chain, feed, clock: wall }),
    ...(clock instanceof ManualClock && { manualClock: clock }),
  };
  const calls = new CallCounts({ methods: METHODS.map(({ name }) => name) });
  const onCall = (report: CallReport) => {
    calls.add(report);
    hooks.onCall?.(report);
  };
  let droppedMessages = 0;
  const onDropped = (messages: number) => {
    droppedMessages += messages;
    hooks.onDropped?.(messages);
  };
  const { batchSize, responseSize, rpcTimeout } = config.limits;
  const dispatcher = new Dispatcher(
    { batchLimit: batchSize, responseLimit: responseSize, ...(rpcTimeout > 0 && { timeoutMs: rpcTimeout }) },
    { methods: METHODS, context, clock: wall, onCall },
  );
  const provider = new InProcessProvider({ dispatcher });
  const stream = new FlashblockStream(
    {},
    {
      feed,
      faults: sequencer.faults,
      published: () => sequencer.published,
      clock: wall,
      onDropped,
    },
  );
  const pages = statusPages(() => ({
    head: chain.latest.header.number,
    preconfirmed: sequencer.published.at(-1)?.block.transactions.length ?? 0,
    waiting: mempool.size,
    ticks: sequencer.metrics.report(),
    calls: calls.entries(),
    subscriptions: context.subscriptions.size,
    streamReaders: stream.readers,
    droppedMessages,
    memory: process.memoryUsage(),
  }));
  let server: RpcServer | undefined;
  await sequencer.start();
  return {
    clock,
    chain,
    feed,
    sequencer,
    dispatcher,
    provider,
    accounts,
    genesisTimestamp: store.header(0n)!.timestamp,
    repaired: store.repaired && { batches: store.repaired.batches },
    listen: async (host, port) => {
      server = new RpcServer(
        { allowHosts: config.allowHost, bodyLimit: config.limits.bodySize },
        {
          dispatcher,
          clock: wall,
          upgrades: new Map([['/flashblocks', (...args) => stream.upgrade(...args)]]),
          pages,
          onDropped,
        },
      );
      const address = await server.start(host, port);
      return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
    },
    close: async () => {
      provider.close();
      await Promise.all([server?.stop(), stream.stop()]);
      await sequencer.stop();
      await store.close();
    },
  };
}

/**
 * How far chain time is from the clock, in milliseconds. A genesis time that was asked for is where chain time began;
 * a chain that is reopened never goes back behind its head.
 */
function timeOffset(config: Config, chain: Chain, clock: Clock): number {
  const head = Number(chain.latest.header.timestamp) * 1000;
  const isNew = chain.latest.header.number === 0n;
  if (isNew && config.timestamp !== undefined) return head - clock.now();
  return Math.max(0, head - clock.now());
}
