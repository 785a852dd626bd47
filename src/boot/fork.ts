import { Address, bytesToHex, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { Block } from '../chain/block.ts';
import type { ForkOrigin } from '../chain/fork-origin.ts';
import { type RemoteHeader, readForkHeader } from '../chain/remote-header.ts';
import type { Clock } from '../clock.ts';
import { DevnetError } from '../errors.ts';
import { BlockFile } from '../fork-cache/block-file.ts';
import { keyOf } from '../fork-cache/cache-entry.ts';
import { type Entries, MemoryEntries } from '../fork-cache/entries.ts';
import type { ForkBlock } from '../fork-cache/fork-block.ts';
import { ForkCache, type ForkCacheOptions } from '../fork-cache/fork-cache.ts';
import type { ForkOptions } from '../options/fork.ts';
import { chainName, whyNotForked } from '../protocol/known-chains.ts';
import { CachedEndpoint } from '../remote/cached-endpoint.ts';
import { Endpoint, type EndpointDeps } from '../remote/endpoint.ts';
import { failureOf, shownUrl } from '../remote/failure.ts';
import { Prefetcher } from '../remote/prefetcher.ts';
import { RemoteBlock } from '../remote/remote-block.ts';
import { RpcError, Unreachable } from '../remote/rpc-client.ts';
import { ForkMoved } from '../remote/transport.ts';
import { BadAnswer, readQuantity, writeQuantity } from '../remote/wire.ts';
import { EMPTY_ROOT, hasCode, NEW_ACCOUNT } from '../state/account.ts';
import { ForkedState } from '../state/forked-state.ts';
import type { GenesisContract } from '../state/genesis-code.ts';
import { keccak256 } from '../state/keccak.ts';
import { MemorySource } from '../state/node-cache.ts';
import { RemoteState } from '../state/remote-state.ts';
import { TrieState } from '../state/trie-state.ts';
import type { AccountState, StateWrites } from '../state/view.ts';
import {
  noTransaction,
  placeOf,
  readForkedBlock,
  type TransactionFork,
  transactionCall,
} from './fork-transaction.ts';
import { proverOf } from './prover.ts';

/** The point at which a chain is forked from another one. */
export interface Fork {
  readonly endpoint: Endpoint;
  /** reads from the other chain, up to the fork block */
  readonly reads: CachedEndpoint;
  /** chain id of the other chain */
  readonly chainId: bigint;
  /** folder of the cache; `undefined` without a cache on disk */
  readonly cacheDir: string | undefined;
  /** whether the fork block came from the cache, without a request to the other node */
  readonly isFromCache: boolean;
  /** whether the reads are already stored in the data directory */
  readonly isKept: boolean;
  /** The fork block, as this chain's genesis block. Without its transactions and receipts, which are read from the other node. */
  readonly genesis: Block & { readonly state: ForkedState };
  /** The fork block's state with this chain's dev accounts, before any transaction is executed on it. */
  readonly proven: ForkedState;
  readonly origin: ForkOrigin;
  readonly prefetcher: Prefetcher;
  /** Fetches an account and some of its slots (32 bytes each), in one batch with the other reads of this event-loop turn. */
  prefetch(address: Address, slots: readonly Uint8Array[]): void;
  /** If the chain is forked before a transaction: that transaction's block, whose earlier transactions must still be executed. */
  readonly next: TransactionFork | undefined;
  /** Stores all earlier and later reads in a file of the data directory as well. */
  keepIn(path: string): void;
  close(): void;
}

/** Number of accounts that are requested at a time. */
const AT_ONCE = 512;

/** Accounts whose balance is set in the first block. They keep their nonce and code. */
export type Funds = readonly { readonly address: Address; readonly balance: bigint }[];

/** The changes that this chain makes to the state of the fork block. */
export interface ForkChanges {
  readonly funds: Funds;
  /** contracts that this chain's hardfork needs; added if the other chain doesn't have them */
  readonly contracts: readonly GenesisContract[];
}

/** The fork block of a data directory or of a recording. */
export interface GivenFork {
  readonly block: ForkBlock;
  /** the stored reads at that block */
  readonly entries: Entries;
  /** whether `entries` is complete, as in a recording, so that the fork cache isn't used */
  readonly isWhole?: boolean;
}

export interface OpenForkDeps {
  /** wall time */
  readonly clock: Clock;
  /** called for each retry */
  readonly onRetry?: EndpointDeps['onRetry'];
  /** the fork cache; absent: fetched values are kept in memory only */
  readonly cache?: ForkCacheOptions | undefined;
  /** called with the reason if the cache can't be used */
  readonly onCacheError?: ((error: unknown) => void) | undefined;
  readonly given?: GivenFork | undefined;
  /** whether to check immediately that the other node has a block from the cache; otherwise with the first request */
  readonly isConfirmed?: boolean;
}

/**
 * Reads the fork block from the cache or from the other node.
 * @throws DevnetError `forkFailed` if the other node can't be used or doesn't answer, -32602 if it has no such block
 */
export async function openFork(
  options: ForkOptions,
  changes: ForkChanges,
  deps: OpenForkDeps,
): Promise<Fork> {
  const endpoint = new Endpoint(options, deps);
  const { clock, onCacheError: onError } = deps;
  const cache =
    deps.cache && !deps.given?.isWhole ? new ForkCache(deps.cache, { clock, onError }) : undefined;
  let opened: Opened | undefined;
  const open = async (isNamedByCache: boolean) => {
    opened = await openBlock(options, { endpoint, cache, given: deps.given, isNamedByCache });
    const isKept = deps.given !== undefined;
    const { block, isFromCache } = opened;
    // If the block comes from the cache, the endpoint must first check that the other node has it.
    endpoint.require(
      { number: block.number, hash: hexToBytes(block.hash as PrefixedHexString) },
      !isFromCache,
    );
    if (deps.isConfirmed && !options.isOffline) await endpoint.confirm();
    return forkAt({ ...opened, isKept }, options, changes, { endpoint, cache, clock, onError });
  };
  const close = () => {
    for (const entries of opened?.entries ?? []) entries.close();
  };
  try {
    return await open(true).catch((error: unknown) => {
      // The other node has another block with this number: it has another chain with the same id, for example after a dev node's restart.
      if (!opened?.isFromCache || deps.given || options.isOffline || !isOtherChain(error)) throw error;
      close();
      endpoint.forget();
      return open(false);
    });
  } catch (error) {
    endpoint.close();
    close();
    throw forkFailure(options.url, error);
  }
}

/** Checks that a node answers. @throws DevnetError `forkFailed` */
export async function tryEndpoint(options: ForkOptions, deps: OpenForkDeps): Promise<void> {
  const endpoint = new Endpoint(options, deps);
  try {
    await endpoint.first([{ method: 'eth_chainId', params: [], read: readQuantity }]);
  } catch (error) {
    throw forkFailure(options.url, error);
  } finally {
    endpoint.close();
  }
}

/** Converts an error of the node to fork from into one with the node's URL and advice. */
function forkFailure(url: string, error: unknown): unknown {
  if (!isRemoteFailure(error)) return error;
  const { method, reason } = error.payload;
  const { advice } = failureOf(error.cause);
  return new DevnetError('forkFailed', {
    url: shownUrl(url),
    reason: describe(method, reason, error.cause),
    advice,
  });
}

/** Names the method for JSON-RPC errors and invalid results; other errors concern all methods. */
function describe(method: string, reason: string, cause: unknown): string {
  if (cause instanceof BadAnswer) return `it answered ${method}, and ${reason}`;
  if (!(cause instanceof RpcError) || cause instanceof Unreachable) return reason;
  const { reason: answered } = failureOf(cause);
  return cause.status !== undefined && cause.status >= 400
    ? answered
    : `it answered ${method} with ${answered}`;
}

function isOtherChain(error: unknown): boolean {
  return isRemoteFailure(error) && error.cause instanceof ForkMoved;
}

function isRemoteFailure(error: unknown): error is DevnetError<'remoteFailed'> {
  return error instanceof DevnetError && error.kind === 'remoteFailed';
}

/** A fork block with its stored reads. */
interface Opened {
  readonly block: ForkBlock;
  readonly entries: readonly Entries[];
  readonly isFromCache: boolean;
}

interface Sources {
  readonly endpoint: Endpoint;
  readonly cache: ForkCache | undefined;
  readonly given: GivenFork | undefined;
  /** whether the cache may provide the block for a number; otherwise the other node is asked */
  readonly isNamedByCache: boolean;
}

/** Finds the fork block: the given one, or else from the cache, or else from the other node. */
async function openBlock(options: ForkOptions, sources: Sources): Promise<Opened> {
  const { endpoint, cache, given, isNamedByCache } = sources;
  const shared = (block: ForkBlock) => cache?.open(block);
  if (!given && options.transaction !== undefined) return openBefore(options.transaction, options, sources);
  if (given) {
    const file = shared(given.block);
    return { block: given.block, entries: [given.entries, ...(file ? [file] : [])], isFromCache: true };
  }
  const cached = isNamedByCache ? cache && cachedBlock(options, cache) : undefined;
  if (cache && cached) {
    const file = cache.open(cached);
    const { method, params } = blockCall(cached.number);
    // Its hash is checked when it is read.
    if (file.find(JSON.stringify([method, params]), false) || options.isOffline)
      return { block: cached, entries: [file], isFromCache: true };
    file.close();
  }
  if (options.isOffline) throw notCached(options, cache);
  const [latest, chainId] = await endpoint.first([
    { method: 'eth_blockNumber', params: [], read: readQuantity },
    ...(options.chainId === undefined ? [{ method: 'eth_chainId', params: [], read: readQuantity }] : []),
  ]);
  const { blockNumber = latest! } = options;
  const asked = blockNumber < 0n ? latest! + blockNumber : blockNumber;
  const number = asked < 0n ? 0n : asked;
  const none = () =>
    new DevnetError('invalidParams', {
      reason: `there is no block ${asked} to fork at: the newest one is ${latest}`,
    });
  const call = blockCall(number);
  const read = (result: unknown) => {
    if (result === null) throw none();
    const { header, hash } = readForkHeader(result, options.isVerified ?? false);
    if (header.number !== asked) throw none();
    return { result, hash: bytesToHex(hash) };
  };
  const [{ result, hash }] = await endpoint.all([{ ...call, read }]);
  const block = { chainId: options.chainId ?? chainId!, number, hash };
  const refusal = whyNotForked(block.chainId);
  if (refusal !== undefined)
    throw new DevnetError('forkFailed', {
      url: shownUrl(options.url),
      reason: `its chain is ${chainName(block.chainId)} (${block.chainId}), whose blocks follow other rules than Ethereum's: ${refusal}`,
      advice: 'fork an Ethereum or OP Stack chain',
    });
  const entries = shared(block) ?? new MemoryEntries();
  entries.add([{ ...call, result }]);
  cache?.noteChain(options.url, block.chainId);
  return { block, entries: [entries], isFromCache: false };
}

/** Finds the block before a transaction's block. */
async function openBefore(
  transaction: string,
  { transaction: _, ...options }: ForkOptions,
  { endpoint, cache, isNamedByCache }: Omit<Sources, 'given'>,
): Promise<Opened> {
  const call = transactionCall(transaction);
  const chainId = options.chainId ?? cache?.chainOf(options.url);
  const isKnown = chainId !== undefined || options.isOffline;
  for (const block of (isKnown && isNamedByCache && cache?.blocks({ chainId })) || []) {
    const file = cache!.open(block);
    if (file.find(keyOf(call.method, call.params), false))
      return { block: { ...block, transaction }, entries: [file], isFromCache: true };
    file.close();
  }
  if (options.isOffline) throw notCached({ ...options, transaction }, cache);
  const [{ result, place }] = await endpoint.first([
    { ...call, read: (result: unknown) => ({ result, place: placeOf(result) }) },
  ]);
  if (!place || place.number === 0n) throw noTransaction(transaction);
  const opened = await openBlock(
    { ...options, blockNumber: place.number - 1n },
    { endpoint, cache, given: undefined, isNamedByCache },
  );
  for (const entries of opened.entries) entries.add([{ ...call, result }]);
  return { ...opened, block: { ...opened.block, transaction } };
}

function blockCall(number: bigint): { method: string; params: readonly unknown[] } {
  return { method: 'eth_getBlockByNumber', params: [writeQuantity(number), false] };
}

/**
 * The block that the options name, if the cache has it, so that it needn't be requested. `undefined` for the newest block, which only the
 * other node knows; with `--fork-offline` that is the newest one in the cache.
 */
function cachedBlock(options: ForkOptions, cache: ForkCache): ForkBlock | undefined {
  const { url, blockNumber: number, isOffline } = options;
  const chainId = options.chainId ?? cache.chainOf(url);
  if (isOffline && number !== undefined && number < 0n)
    throw new DevnetError('invalidParams', {
      reason: `with --fork-offline nobody knows the newest block, before which block ${number} is: name the block itself`,
    });
  if (!isOffline && (chainId === undefined || number === undefined || number < 0n)) return undefined;
  const found = cache.blocks({ chainId, number });
  const chains = [...new Set(found.map((block) => block.chainId))].sort((a, b) => (a < b ? -1 : 1));
  if (chains.length > 1)
    throw new DevnetError('invalidParams', {
      reason: `the fork cache has blocks of the chains ${chains.join(', ')}: say which with --fork-chain-id`,
    });
  // After a reorg of the other chain, the cache may have several blocks with this number: the other node knows the current one.
  if (!isOffline && found.length > 1) return undefined;
  return found[0];
}

function notCached(options: ForkOptions, cache: ForkCache | undefined): DevnetError {
  const { url, blockNumber, chainId } = options;
  const what =
    options.transaction !== undefined
      ? `no block that is forked before transaction ${options.transaction}`
      : blockNumber === undefined
        ? 'no block'
        : `no block ${blockNumber}`;
  const of = chainId === undefined ? 'that node' : `chain ${chainId}`;
  return new DevnetError('forkFailed', {
    url: shownUrl(url),
    reason: `the fork cache in ${cache?.dir} has ${what} of ${of}`,
    advice: 'start once without --fork-offline, or read a file with devnet fork-cache import',
  });
}

async function forkAt(
  { block, entries, isFromCache, isKept }: Opened & { readonly isKept: boolean },
  options: ForkOptions,
  changes: ForkChanges,
  deps: {
    endpoint: Endpoint;
    cache: ForkCache | undefined;
    clock: Clock;
    onError: ((error: unknown) => void) | undefined;
  },
): Promise<Fork> {
  const { endpoint, cache, clock, onError } = deps;
  const reads = new CachedEndpoint({ block, isOffline: options.isOffline ?? false }, { endpoint, entries });
  const header = await reads.one({
    ...blockCall(block.number),
    what: 'the header',
    read: (result) => headerOf(result, block, options.isVerified ?? false),
  });
  const { transaction } = block;
  const isVerified = options.isVerified ?? false;
  const next =
    transaction === undefined
      ? undefined
      : await readForkedBlock({ ...block, transaction }, { reads, isVerified });
  const prover = options.isVerified ? proverOf(header.header.stateRoot) : undefined;
  const remoteBlock = new RemoteBlock({ endpoint: reads, prover });
  const remote = new RemoteState({ reads: remoteBlock });
  const state = await funded(changes, remote);
  return {
    endpoint,
    reads,
    chainId: block.chainId,
    cacheDir: cache?.dir,
    isFromCache,
    isKept,
    prefetcher: new Prefetcher({ endpoint: reads, block: remoteBlock }),
    prefetch: ({ bytes }, slots) => void remoteBlock.prefetch(bytes, slots),
    next,
    origin: { state: remote, root: state.root, hashOf: hashesOf(remoteBlock) },
    genesis: { ...header, transactions: [], receipts: [], uncles: [], size: 0, state },
    proven: state,
    keepIn: (path) => reads.keepIn(new BlockFile({ path }, { clock, onError })),
    close: () => {
      endpoint.close();
      reads.close();
    },
  };
}

/** @throws BadAnswer for another block */
function headerOf(result: unknown, { number, hash }: ForkBlock, isVerified: boolean): RemoteHeader {
  const found = readForkHeader(result, isVerified);
  if (found.header.number !== number) throw new BadAnswer('number', `${number}`, `${found.header.number}`);
  if (bytesToHex(found.hash) !== hash) throw new BadAnswer('hash', hash, bytesToHex(found.hash));
  return found;
}

/** Makes a cached lookup of block hashes. */
function hashesOf(reads: RemoteBlock): ForkOrigin['hashOf'] {
  const hashes = new Map<bigint, Uint8Array | undefined>();
  return (number) => {
    if (hashes.has(number)) return hashes.get(number);
    const hash = reads.hashOf(number);
    const keep = (found: Uint8Array | undefined) => {
      hashes.set(number, found);
      return found;
    };
    return hash instanceof Promise ? hash.then(keep) : keep(hash);
  };
}

/** The contracts that this chain's rules need and the other chain doesn't have. */
async function missingContracts(
  contracts: readonly GenesisContract[],
  state: RemoteState,
): Promise<Pick<StateWrites, 'accounts' | 'code'>> {
  const accounts = new Map<string, AccountState>();
  const code = new Map<string, Uint8Array>();
  for (const { address, code: text } of contracts) {
    const found = await state.getAccount(new Address(hexToBytes(address)));
    if (found && hasCode(found)) continue;
    const bytes = hexToBytes(text);
    const codeHash = keccak256(bytes);
    accounts.set(address, { ...(found ?? NEW_ACCOUNT), nonce: 1n, codeHash });
    code.set(bytesToHex(codeHash), bytes);
  }
  return { accounts, code };
}

async function funded({ funds, contracts }: ForkChanges, state: RemoteState): Promise<ForkedState> {
  const balances = new Map(funds.map(({ address, balance }) => [address.toString(), { address, balance }]));
  const { accounts: added, code } = await missingContracts(contracts, state);
  const accounts = new Map(added);
  const left = [...balances];
  while (left.length > 0) {
    const some = left.splice(0, AT_ONCE);
    const found = await Promise.all(some.map(([, { address }]) => state.getAccount(address)));
    for (const [i, [key, { balance }]] of some.entries())
      accounts.set(key, { ...(found[i] ?? NEW_ACCOUNT), balance });
  }
  const own = TrieState.at(new MemorySource(), EMPTY_ROOT);
  return new ForkedState(own, state).fold({ accounts, storage: new Map(), code });
}
