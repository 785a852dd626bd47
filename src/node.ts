import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type DevAccount, deriveAccounts } from './accounts.ts';
import { Chain } from './chain/chain.ts';
import { type Clock, ManualClock, SystemClock } from './clock.ts';
import { SettableChainId } from './evm/chain-id.ts';
import { chooseCrypto, recoverAuthority } from './evm/crypto.ts';
import { Engine } from './evm/engine.ts';
import { codeSizeLimit, singleFork } from './evm/fork.ts';
import { TransactionDecoder } from './mempool/decode.ts';
import { Mempool } from './mempool/mempool.ts';
import { openChainStore } from './open-chain-store.ts';
import type { Config } from './options.ts';
import { ALIASES } from './rpc/aliases.ts';
import type { RpcContext } from './rpc/context.ts';
import { type CallReport, Dispatcher } from './rpc/dispatch.ts';
import { feeRules } from './rpc/fee-rules.ts';
import { asHardhat } from './rpc/hardhat-errors.ts';
import { METHODS } from './rpc/methods/index.ts';
import { poolReader } from './rpc/pool-reader.ts';
import { shapesOf } from './rpc/shapes.ts';
import { Signers } from './rpc/signers.ts';
import { ChainTime } from './sequencer/chain-time.ts';
import { Controls } from './sequencer/controls.ts';
import { Feed } from './sequencer/feed.ts';
import { History } from './sequencer/history.ts';
import { preconfirms } from './sequencer/mode.ts';
import { Sequencer } from './sequencer/sequencer.ts';
import { Settings, seedOf } from './sequencer/settings.ts';
import { RpcServer } from './server/server.ts';
import { Caller } from './simulate/caller.ts';
import { dumpStateFile, loadStateFile } from './state-file.ts';

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
  readonly onCall?: (report: CallReport) => void;
}

/** Builds every actor and starts the chain. The only place that knows them all. */
export async function createNode(config: Config, hooks: NodeHooks): Promise<Node> {
  const wall = new SystemClock();
  const crypto = await chooseCrypto();
  const overrides = config.codeSizeLimit === undefined ? {} : codeSizeLimit(config.codeSizeLimit);
  const schedule = new SettableChainId(singleFork(config.chainId, config.hardfork, crypto, overrides));
  const { count, mnemonic, derivationPath: path } = config.accounts;
  const accounts = deriveAccounts({ mnemonic, path, count });
  const decoder = new TransactionDecoder(
    { transactionGasCap: config.transactionGasCap, overrides },
    { common: schedule.at(0n, 0n).common, chainId: () => schedule.chainId },
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
    { seed: seedOf(config.seed), every: { coinbase, gasLimit, extraData }, minGasPrice: config.minGasPrice },
    { time },
  );
  const feed = new Feed();
  const sequencer = new Sequencer(
    {
      mode: config.mining,
      order: config.order,
      gasCap: config.transactionGasCap,
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
  const compat = config.compat ?? 'anvil';
  const dev = { sequencer, chain, mempool, settings, feed };
  const history = new History(dev);
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
    sequencer,
    history,
    controls: new Controls(dev),
    decoder,
    preimageOf: (hash) => chain.preimageOf(hash),
    signers: new Signers({ accounts, impersonateAll: config.autoImpersonate }),
    shapes: shapesOf(compat),
    instance,
    setChainId: (chainId) => schedule.setChainId(chainId),
  };
  const { batchSize, responseSize, rpcTimeout } = config.limits;
  const dispatcher = new Dispatcher(
    { batchLimit: batchSize, responseLimit: responseSize, ...(rpcTimeout > 0 && { timeoutMs: rpcTimeout }) },
    {
      methods: METHODS,
      aliases: ALIASES,
      context,
      clock: wall,
      ...(compat === 'hardhat' && { reword: asHardhat }),
      ...(hooks.onCall && { onCall: (report) => instance.logs && hooks.onCall!(report) }),
    },
  );
  let server: RpcServer | undefined;
  await sequencer.start();
  await loadStateFile(config.stateFiles, context);
  return {
    clock,
    chain,
    feed,
    sequencer,
    dispatcher,
    accounts,
    genesisTimestamp: store.header(0n)!.timestamp,
    repaired: store.repaired && { batches: store.repaired.batches },
    listen: async (host, port) => {
      server = new RpcServer(
        { allowHosts: config.allowHost, allowOrigin: config.allowOrigin, bodyLimit: config.limits.bodySize },
        { dispatcher, clock: wall },
      );
      const address = await server.start(host, port);
      return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
    },
    close: async () => {
      await server?.stop();
      await sequencer.stop();
      try {
        dumpStateFile(config.stateFiles, context);
      } finally {
        await store.close();
      }
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
