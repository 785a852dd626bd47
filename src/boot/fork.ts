import type { Address } from '@ethereumjs/util';
import type { Block } from '../chain/block.ts';
import type { ForkOrigin } from '../chain/fork-origin.ts';
import { readRemoteHeader } from '../chain/remote-header.ts';
import type { Clock } from '../clock.ts';
import { DevnetError } from '../errors.ts';
import type { ForkOptions } from '../options/fork.ts';
import { Endpoint, type EndpointDeps } from '../remote/endpoint.ts';
import { failureOf, shownUrl } from '../remote/failure.ts';
import { RemoteBlock } from '../remote/remote-block.ts';
import { RpcError, Unreachable } from '../remote/rpc-client.ts';
import { BadAnswer, readQuantity, writeQuantity } from '../remote/wire.ts';
import { EMPTY_ROOT, NEW_ACCOUNT } from '../state/account.ts';
import { ForkedState } from '../state/forked-state.ts';
import { MemorySource } from '../state/node-cache.ts';
import { RemoteState } from '../state/remote-state.ts';
import { TrieState } from '../state/trie-state.ts';
import type { AccountState } from '../state/view.ts';

/** Where a forked chain left another one. */
export interface Fork {
  readonly endpoint: Endpoint;
  /** of the other chain */
  readonly chainId: bigint;
  /** The other chain's block as this one's first. Its transactions and receipts stay with the other node. */
  readonly genesis: Block & { readonly state: ForkedState };
  readonly origin: ForkOrigin;
}

/** Accounts that are asked for at a time. */
const AT_ONCE = 16;

/** Accounts that are given a balance in the first block, and keep the nonce and the code they have. */
export type Funds = readonly { readonly address: Address; readonly balance: bigint }[];

export interface OpenForkDeps {
  /** wall time */
  readonly clock: Clock;
  /** called with a line about each attempt that is to be repeated */
  readonly onRetry?: EndpointDeps['onRetry'];
}

/**
 * Asks another node for the block to leave its chain at.
 * @throws DevnetError `forkFailed` when it can't be used or doesn't answer, -32602 when it has no such block
 */
export async function openFork(options: ForkOptions, funds: Funds, deps: OpenForkDeps): Promise<Fork> {
  const endpoint = new Endpoint(options, deps);
  try {
    return await openAt(options, funds, endpoint);
  } catch (error) {
    endpoint.close();
    throw forkFailure(options.url, error);
  }
}

/** Asks a node whether it answers. @throws DevnetError `forkFailed` */
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

/** An error of a node that a chain is to be forked from, with its URL and what to do. */
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

/** JSON-RPC errors and invalid results are those of a method; anything else is so for all methods. */
function describe(method: string, reason: string, cause: unknown): string {
  if (cause instanceof BadAnswer) return `it answered ${method}, and ${reason}`;
  if (!(cause instanceof RpcError) || cause instanceof Unreachable) return reason;
  const { reason: answered } = failureOf(cause);
  return cause.status !== undefined && cause.status >= 400
    ? answered
    : `it answered ${method} with ${answered}`;
}

function isRemoteFailure(error: unknown): error is DevnetError<'remoteFailed'> {
  return error instanceof DevnetError && error.kind === 'remoteFailed';
}

async function openAt(options: ForkOptions, funds: Funds, endpoint: Endpoint): Promise<Fork> {
  const [latest, chainId] = await endpoint.first([
    { method: 'eth_blockNumber', params: [], read: readQuantity },
    ...(options.chainId === undefined ? [{ method: 'eth_chainId', params: [], read: readQuantity }] : []),
  ]);
  const { blockNumber = latest! } = options;
  const number = blockNumber < 0n ? latest! + blockNumber : blockNumber;
  const read = (block: unknown) => (block === null ? undefined : readRemoteHeader(block));
  const params = [writeQuantity(number < 0n ? 0n : number), false];
  const [block] = await endpoint.all([{ method: 'eth_getBlockByNumber', params, read }]);
  if (!block || block.header.number !== number)
    throw new DevnetError('invalidParams', {
      reason: `there is no block ${number} to fork at: the newest one is ${latest}`,
    });
  const reads = new RemoteBlock(number, { endpoint });
  const remote = new RemoteState({ reads });
  const state = await funded(funds, remote);
  return {
    endpoint,
    chainId: options.chainId ?? chainId!,
    origin: { state: remote, root: state.root, hashOf: hashesOf(reads) },
    genesis: {
      ...block,
      transactions: [],
      receipts: [],
      uncles: [],
      size: 0,
      state,
    },
  };
}

/** Hashes that were fetched are kept. */
function hashesOf(reads: RemoteBlock): ForkOrigin['hashOf'] {
  const hashes = new Map<bigint, Uint8Array | undefined>();
  return (number) => {
    if (hashes.has(number)) return hashes.get(number);
    return reads.hashOf(number).then((hash) => {
      hashes.set(number, hash);
      return hash;
    });
  };
}

async function funded(funds: Funds, state: RemoteState): Promise<ForkedState> {
  const balances = new Map(funds.map(({ address, balance }) => [address.toString(), { address, balance }]));
  const accounts = new Map<string, AccountState>();
  const left = [...balances];
  while (left.length > 0) {
    const some = left.splice(0, AT_ONCE);
    const found = await Promise.all(some.map(([, { address }]) => state.getAccount(address)));
    for (const [i, [key, { balance }]] of some.entries())
      accounts.set(key, { ...(found[i] ?? NEW_ACCOUNT), balance });
  }
  const own = TrieState.at(new MemorySource(), EMPTY_ROOT);
  return new ForkedState(own, state).fold({ accounts, storage: new Map(), code: new Map() });
}
