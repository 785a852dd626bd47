import { setImmediate } from 'node:timers/promises';
import { type DevAccount, deriveAccounts } from './accounts.ts';
import { Chain } from './chain/chain.ts';
import type { BlockStore } from './chain/store/block-store.ts';
import { type Clock, ManualClock, SystemClock } from './clock.ts';
import { chooseCrypto, recoverAuthority } from './evm/crypto.ts';
import { Engine } from './evm/engine.ts';
import { singleFork } from './evm/fork.ts';
import { TransactionDecoder } from './mempool/decode.ts';
import { Mempool } from './mempool/mempool.ts';
import { openChainStore } from './open-chain-store.ts';
import type { Config } from './options.ts';
import type { RpcContext } from './rpc/context.ts';
import { type CallReport, Dispatcher } from './rpc/dispatch.ts';
import { feeRules } from './rpc/fee-rules.ts';
import { METHODS } from './rpc/methods/index.ts';
import { poolReader } from './rpc/pool-reader.ts';
import { ChainTime, TIME_OFFSET } from './sequencer/chain-time.ts';
import { Feed } from './sequencer/feed.ts';
import { preconfirms } from './sequencer/mode.ts';
import { Sequencer } from './sequencer/sequencer.ts';
import { Settings, seedOf } from './sequencer/settings.ts';
import { RpcServer } from './server/server.ts';
import { Caller } from './simulate/caller.ts';

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
  readonly accounts: readonly DevAccount[];
  /** seconds */
  readonly genesisTimestamp: bigint;
  readonly repaired: Repaired | undefined;
  /** Opens the port. @returns `http://host:port`; throws EADDRINUSE */
  listen(host: string, port: number): Promise<string>;
  /** Stops accepting, seals the open block if it has transactions, closes the store. */
  close(): Promise<void>;
}

export interface NodeHooks {
  readonly version: string;
  /** A block can't be made or stored any more. */
  readonly onFatal: (error: unknown) => void;
  readonly onCall?: (report: CallReport) => void;
  /** Listens from the first event on. */
  readonly onFeed?: (feed: Feed) => void;
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
  const chain = new Chain({ slotsInAnEpoch: BigInt(config.slotsInAnEpoch) }, { store });
  const clock = config.manualClock ? new ManualClock(Number(chain.latest.header.timestamp) * 1000) : wall;
  const time = new ChainTime(
    { offset: await timeOffset(config, { chain, store, clock }), allowEqual: config.allowEqualTimestamps },
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
  const feed = new Feed({
    onError: (error) => process.emitWarning(error instanceof Error ? error : String(error)),
  });
  hooks.onFeed?.(feed);
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
  };
  const { batchSize, responseSize, rpcTimeout } = config.limits;
  const dispatcher = new Dispatcher(
    { batchLimit: batchSize, responseLimit: responseSize, ...(rpcTimeout > 0 && { timeoutMs: rpcTimeout }) },
    { methods: METHODS, context, clock: wall, ...(hooks.onCall && { onCall: hooks.onCall }) },
  );
  let server: RpcServer | undefined;
  let closing: Promise<void> | undefined;
  const close = async () => {
    await server?.stop();
    try {
      await sequencer.stop();
      // Moved since the last block, which carries it otherwise.
      if (store.meta.get(TIME_OFFSET) !== time.offset) await store.meta.put(TIME_OFFSET, time.offset);
    } finally {
      await store.close();
    }
  };
  try {
    await sequencer.start();
  } catch (error) {
    await store.close();
    throw error;
  }
  return {
    clock,
    chain,
    feed,
    sequencer,
    dispatcher,
    accounts,
    genesisTimestamp: store.header(0n)!.timestamp,
    repaired: store.repaired && { batches: store.repaired.batches, head: store.repaired.head.number },
    listen: async (host, port) => {
      server = new RpcServer(
        { allowHosts: config.allowHost, bodyLimit: config.limits.bodySize },
        { dispatcher, clock: wall },
      );
      const address = await server.start(host, port);
      return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
    },
    close: () => {
      closing ??= close();
      return closing;
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
