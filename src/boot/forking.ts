import { bigIntToBytes, setLengthLeft } from '@ethereumjs/util';
import type { TrieBlock } from '../chain/block.ts';
import { BlockBuilder } from '../chain/block-builder.ts';
import { decodeFeeParameters } from '../chain/fee-parameters.ts';
import { layoutOf, readMarker } from '../chain/store/data-dir.ts';
import { DataDirError } from '../chain/store/data-dir-error.ts';
import type { Clock } from '../clock.ts';
import type { Engine } from '../engine/engine.ts';
import { DevnetError } from '../errors.ts';
import { prefetch } from '../execution/prefetch.ts';
import { BlockFile } from '../fork-cache/block-file.ts';
import { OptionError } from '../options/errors.ts';
import { DEFAULTS, type ForkOptions, splitUrl, withUrl } from '../options/fork.ts';
import type { Config } from '../options/options.ts';
import type { SettableChainId } from '../protocol/chain-id.ts';
import { type HardforkName, isSince } from '../protocol/hardfork.ts';
import { chainName, knownHardfork } from '../protocol/known-chains.ts';
import {
  QUEUE_SLOTS,
  REQUEST_CONTRACTS,
  SYSTEM_ADDRESS,
  SYSTEM_CONTRACTS,
} from '../protocol/system-contracts.ts';
import type { Recorder } from '../recorder/recorder.ts';
import type { EndpointDeps } from '../remote/endpoint.ts';
import type { ForkContext, Refork } from '../rpc/fork/context.ts';
import type { Cause } from '../sequencer/inputs.ts';
import { sealsEachSend } from '../sequencer/mining/mode.ts';
import { feesOfPlan } from '../sequencer/next-fees.ts';
import type { History, NewGenesis } from '../sequencer/rewrite/history.ts';
import type { Settings } from '../sequencer/settings.ts';
import { BUILDER_CONTRACTS } from '../state/genesis.ts';
import {
  type Fork,
  type ForkChanges,
  type Funds,
  type GivenFork,
  type OpenForkDeps,
  openFork,
  tryEndpoint,
} from './fork.ts';
import { type ReplayBeforeDeps, replayBefore } from './fork-transaction.ts';
import { genesisNow } from './genesis.ts';
import type { NodeParts } from './rpc.ts';

export interface ForkingDeps {
  /** wall time */
  readonly clock: Clock;
  readonly accounts: readonly Funds[number]['address'][];
  /** called for each retry while the fork block is requested from the other node */
  readonly onRetry?: EndpointDeps['onRetry'];
  /** called with the reason if the fork cache can't be used */
  readonly onCacheError?: ((error: unknown) => void) | undefined;
  /** the fork of a recording */
  readonly given?: GivenFork | undefined;
}

/** The parts that are needed to fork the chain while it runs. */
interface Actors {
  readonly engine: Engine;
  readonly schedule: SettableChainId;
  readonly history: History;
  readonly settings: Settings;
  readonly recorder: Recorder;
}

/** Facts about the chain that this one was forked from. */
export interface ForkFacts {
  /** scheme and host only, since the rest of the URL may contain an API key */
  readonly endpoint: string;
  readonly blockNumber: bigint;
  readonly blockHash: Uint8Array;
  /** chain id of that chain */
  readonly chainId: bigint;
  /** Hash of the transaction in the next block before which the chain was forked; `undefined` if it was forked after a block. */
  readonly transactionHash?: string | undefined;
  /** Folder of the fork cache; `undefined` with `noForkCache`. */
  readonly cacheDir?: string | undefined;
  /** name of that chain, if known */
  readonly chainName?: string | undefined;
  /** hardfork of this chain's blocks: the other chain's, if known */
  readonly hardfork: string;
  /** values of this chain: its chain id, and base fee (wei per gas) and gas limit (gas) of its first own block */
  readonly here: { readonly chainId: bigint; readonly baseFee: bigint; readonly gasLimit: bigint };
}

/** Manages the fork of the node's chain, if any: opens it, replaces it, and redirects it to another node. */
export class Forking {
  /** the node's options as given */
  readonly #asked: Config;
  readonly #deps: ForkingDeps;
  #options: ForkOptions | undefined;
  #fork: Fork | undefined;

  private constructor(asked: Config, fork: Fork | undefined, deps: ForkingDeps) {
    this.#asked = asked;
    this.#options = asked.fork;
    this.#fork = fork;
    this.#deps = deps;
  }

  /** @throws DevnetError `forkFailed` when the other node can't be used, -32602 when it has no such block */
  static async open(config: Config, deps: ForkingDeps): Promise<Forking> {
    const given = config.fork && (deps.given ?? keptFork(config, deps));
    try {
      const fork =
        config.fork &&
        (await openFork(config.fork, beginningOf(config, deps), { ...deps, cache: config.forkCache, given }));
      return new Forking(config, fork, deps);
    } catch (error) {
      given?.entries.close();
      throw error;
    }
  }

  get fork(): Fork | undefined {
    return this.#fork;
  }

  /**
   * If the chain is forked before a transaction, executes the earlier transactions of that block: the chain begins with the state after
   * them. Must be called once, before the chain is opened.
   * @throws DevnetError `forkFailed` if their results differ from those on the other chain
   */
  async replay(deps: ReplayBeforeDeps): Promise<Fork | undefined> {
    const fork = this.#fork;
    if (fork?.next)
      this.#fork = await replayBefore(fork, fork.next, beginningOf(this.#asked, this.#deps).funds, deps);
    return this.#fork;
  }

  /** The node's options, with the other chain's chain id, block number, gas limit and fee parameters. */
  get config(): Config {
    return configOf(this.#asked, this.#fork);
  }

  get context(): ForkContext | undefined {
    const fork = this.#fork;
    if (!fork) return undefined;
    const { endpoint, genesis, chainId } = fork;
    return {
      number: genesis.header.number,
      hash: genesis.hash,
      state: fork.proven,
      chainId,
      url: endpoint.url,
      backoff: endpoint.backoff,
      request: (method, params) => fork.reads.request(method, params),
      expecting: (call) => fork.prefetcher.expect(call),
    };
  }

  /** @param here this chain's values */
  factsWith(here: ForkFacts['here']): ForkFacts | undefined {
    const fork = this.#fork;
    if (!fork) return undefined;
    const { header, hash } = fork.genesis;
    const { protocol, host } = new URL(fork.endpoint.url);
    return {
      endpoint: `${protocol}//${host}`,
      blockNumber: header.number,
      blockHash: hash,
      chainId: fork.chainId,
      chainName: chainName(fork.chainId),
      cacheDir: fork.cacheDir,
      transactionHash: fork.reads.block.transaction,
      hardfork: this.config.hardfork,
      here,
    };
  }

  /**
   * Restarts the chain on a block of another chain, or with `undefined` on the node's own genesis block.
   * @throws DevnetError like {@link open}; -32602 for an unusable URL; -32000 if the chain is stored or recorded
   */
  async refork(cause: Cause, target: Refork | undefined, actors: Actors): Promise<void> {
    const { schedule, history, recorder } = actors;
    this.#refuseKept();
    const options = target && this.#optionsFor(target);
    const fork =
      options &&
      (await openFork(options, beginningOf(this.#asked, this.#deps), {
        ...this.#opening,
        isConfirmed: true,
      }));
    try {
      const config = configOf(this.#asked, fork);
      const { clock, accounts } = this.#deps;
      const genesis = fork?.genesis ?? genesisNow(config, { schedule, accounts, now: () => clock.now() });
      const beginning: NewGenesis = {
        genesis,
        origin: fork?.origin,
        gasLimit: config.keepsGasLimit ? genesis.header.gasLimit : config.gasLimit,
        opened: () => {
          const before = schedule.chainId;
          schedule.setChainId(config.chainId);
          return () => schedule.setChainId(before);
        },
      };
      if (fork) await fetchAhead(fork, actors);
      forgo(recorder);
      await history.restart(cause, beginning, () => {
        this.#fork?.close();
        this.#fork = fork;
        this.#options = options;
      });
    } catch (error) {
      fork?.close();
      throw error;
    }
  }

  /**
   * Reads from another node of the same chain from now on.
   * @throws DevnetError -32602 for an unusable URL, -32000 if the chain isn't forked, `forkFailed` if the node doesn't answer
   */
  async redirect(url: string): Promise<void> {
    if (!this.#fork || !this.#options)
      throw new DevnetError('server', { reason: 'this chain is not forked: see --fork-url, or anvil_reset' });
    const options = usable(() => withUrl(this.#options!, url));
    const fork = this.#fork;
    await tryEndpoint(options, this.#deps);
    // The chain may have been forked again in the meantime.
    if (this.#fork !== fork) return;
    fork.endpoint.redirect(options);
    this.#options = options;
  }

  /** Dependencies for opening another fork: without `given`, the fork with which the node started. */
  get #opening(): OpenForkDeps {
    const { clock, onRetry, onCacheError } = this.#deps;
    return { clock, onCacheError, cache: this.#asked.forkCache, ...(onRetry && { onRetry }) };
  }

  close(): void {
    this.#fork?.close();
  }

  #optionsFor({ url, blockNumber }: Refork): ForkOptions {
    const at = blockNumber === undefined ? {} : { blockNumber };
    const now = this.#options;
    if (now) return { ...usable(() => withUrl(now, url ?? now.url)), ...at };
    if (url === undefined)
      throw new DevnetError('invalidParams', { reason: 'this chain is not forked: jsonRpcUrl is needed' });
    const { url: plain, block } = usable(() => splitUrl(url));
    return {
      ...DEFAULTS,
      url: plain,
      headers: {},
      ...(block !== undefined && { blockNumber: block }),
      ...at,
    };
  }

  /** @throws DevnetError if the chain is stored, recorded or imported: that data belongs to the chain with which the node started */
  #refuseKept(): void {
    const { dataDir, record, import: chainFile, genesis, stateFiles } = this.#asked;
    const kept = { dataDir, record, import: chainFile, init: genesis, dumpState: stateFiles.dump };
    for (const [option, value] of Object.entries(kept))
      if (value !== undefined)
        throw new DevnetError('server', { reason: `a chain with the option ${option} can't be forked anew` });
  }
}

/** Fetches the state that every block reads at its start and end, so that no block fails because the other node doesn't answer. */
export async function fetchAhead(
  fork: Fork,
  { engine, settings }: Pick<Actors, 'engine' | 'settings'>,
): Promise<void> {
  const parent: TrieBlock = { ...fork.genesis, sealed: true };
  const plan = settings.plan(parent.header, Number(parent.header.timestamp) * 1000);
  const { origin } = fork;
  const { hardfork } = feesOfPlan(parent.header, plan, engine.schedule);
  const queue = QUEUE_SLOTS.map((slot) => setLengthLeft(bigIntToBytes(slot), 32));
  for (const contract of SYSTEM_CONTRACTS)
    if (hardfork.has(contract.eip))
      fork.prefetch(contract.address, REQUEST_CONTRACTS.includes(contract) ? queue : []);
  // Every transaction touches the coinbase. EthereumJS reads SYSTEM_ADDRESS for each system call: fetched for all engines, so that a
  // recording or a cache that another engine has filled is complete for EthereumJS, too.
  await Promise.all([plan.coinbase, SYSTEM_ADDRESS].map((address) => origin.state.getAccount(address)));
  const hashOf = (number: bigint) => origin.hashOf(number);
  const builder = await BlockBuilder.begin(parent, plan, engine, hashOf, { withL1Attributes: true });
  try {
    await builder.sealAndKeep({ strict: false });
  } finally {
    builder.close();
  }
}

/**
 * On a forked chain, fetches the state that a transaction will read as soon as it is sent, so that the flashblock or block that
 * includes it doesn't wait for the other node.
 */
export function prefetchSends(
  forking: Forking,
  { chain, engine, mempool, sequencer }: Pick<NodeParts, 'chain' | 'engine' | 'mempool' | 'sequencer'>,
): void {
  mempool.onAdd((transaction) => {
    // In modes that seal each send, the transaction is executed immediately.
    if (!forking.fork || sealsEachSend(sequencer.mode)) return;
    const hashOf = (number: bigint) => chain.blockHash(number);
    // Ignored: the error occurs again when the block is made, and is reported then.
    prefetch(transaction, chain.latest, { engine, hashOf }).catch(() => {});
  });
}

/**
 * The fork block of a data directory. Its chain continues from that block, regardless of the other chain's current newest block.
 * @throws DataDirError if the options name another fork block
 */
function keptFork(
  { dataDir, fork }: Config,
  { clock, onCacheError: onError }: ForkingDeps,
): GivenFork | undefined {
  const marker = dataDir === undefined ? undefined : readMarker(dataDir);
  if (dataDir === undefined || !marker?.fork) return undefined;
  const block = {
    chainId: BigInt(marker.fork.chainId),
    number: BigInt(marker.fork.number),
    hash: marker.genesisHash,
    transaction: marker.fork.transaction,
  };
  const { blockNumber = -1n, chainId = block.chainId } = fork!;
  if ((blockNumber >= 0n && blockNumber !== block.number) || chainId !== block.chainId)
    throw new DataDirError(
      'otherGenesis',
      dataDir,
      `its chain was forked at block ${block.number} of chain ${block.chainId}, not at block ${blockNumber} of chain ${chainId}: ` +
        'name no block, or use another directory',
    );
  const { transaction = block.transaction } = fork!;
  if (transaction !== block.transaction)
    throw new DataDirError(
      'otherGenesis',
      dataDir,
      `its chain was not forked before transaction ${transaction}: name the one of its start or none, or use another directory`,
    );
  return { block, entries: new BlockFile({ path: layoutOf(dataDir).fork }, { clock, onError }) };
}

function configOf(asked: Config, fork: Fork | undefined): Config {
  const { fork: _, ...own } = asked;
  if (!fork) return { ...own, keepsGasLimit: own.genesis !== undefined && !own.asked.gasLimit };
  const { extraData } = fork.genesis.header;
  const { chainId, number, hash, transaction } = fork.reads.block;
  const forked = { chainId: `${chainId}`, number: `${number}`, hash, ...(transaction && { transaction }) };
  const known = asked.asked.hardfork ? undefined : hardforkFor(fork, own.rollup);
  return {
    ...asked,
    // Recorded, because later versions of devnet may know other hardforks for the chain.
    recorded: () => ({ ...asked.recorded(), ...(known && { hardfork: known }), forked }),
    ...(known && { hardfork: known }),
    ...(own.rollup && !own.asked.extraData && decodeFeeParameters(extraData) && { extraData }),
    chainId: own.asked.chainId ? own.chainId : fork.chainId,
    number: fork.genesis.header.number,
    keepsGasLimit: !own.asked.gasLimit,
  };
}

/** The hardfork of the other chain after the fork block; `undefined` if that chain isn't known. */
function hardforkFor({ chainId, genesis, next }: Fork, isRollup: boolean): HardforkName | undefined {
  const { number, timestamp } = genesis.header;
  // A hardfork may begin with the block that contains the transaction before which the chain is forked.
  const known = knownHardfork(chainId, { number, timestamp: next?.header.timestamp ?? timestamp });
  // The OP Stack's rules are implemented for these hardforks only.
  return isRollup && !['cancun', 'prague', 'osaka'].includes(known ?? '') ? undefined : known;
}

function beginningOf({ balance, fundAccounts, hardfork }: Config, { accounts }: ForkingDeps): ForkChanges {
  return {
    funds: [...accounts.map((address) => ({ address, balance })), ...fundAccounts],
    contracts: isSince(hardfork, 'amsterdam') ? BUILDER_CONTRACTS : [],
  };
}

function usable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    throw new DevnetError('invalidParams', { reason: `jsonRpcUrl: expected ${error.expected}` });
  }
}

function forgo(recorder: Recorder): void {
  try {
    recorder.forgo();
  } catch (error) {
    throw new DevnetError('server', { reason: (error as Error).message });
  }
}
