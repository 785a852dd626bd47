import { Address, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { RpcClient } from '../remote/rpc-client.ts';
import type { Senders } from '../sequencer/outside/replica.ts';
import type { BlockId } from './sequence.ts';

/** Time limit of the follower's own requests to the other node, milliseconds. Forwarded requests have none. */
const ANSWER_MS = 30_000;

/** Sends a JSON-RPC request to the other node. */
export type Ask = (method: string, params?: readonly unknown[]) => Promise<unknown>;

/** Sends requests with a time limit, since a node may keep its socket open and never answer. */
export function askerOf(client: RpcClient): Ask {
  return (method, params) => client.request(method, params, ANSWER_MS);
}

/** The fields of a block or header in JSON-RPC that are used here. */
export interface WireHeader {
  readonly number: PrefixedHexString;
  readonly hash: PrefixedHexString;
  readonly parentHash: PrefixedHexString;
}

/** The other node has pruned the blocks that this chain needs next. */
export class PrunedAway extends Error {
  override readonly name = 'PrunedAway';

  constructor(number: bigint) {
    super(
      `block ${number} is pruned at the node that makes the blocks (--prune-history): this chain can't go on from ` +
        `block ${number - 1n}`,
    );
  }
}

/** The other chain has changed since an earlier response. */
export class Behind extends Error {}

interface WireTransaction {
  readonly hash: PrefixedHexString;
  readonly from: PrefixedHexString;
}

const quantity = (number: bigint): PrefixedHexString => `0x${number.toString(16)}`;

export function idOf({ number, hash, parentHash }: WireHeader): BlockId & { parentHash: Uint8Array } {
  return { number: BigInt(number), hash: hexToBytes(hash), parentHash: hexToBytes(parentHash) };
}

export async function latestOf(ask: Ask) {
  return idOf((await ask('eth_getBlockByNumber', ['latest', false])) as WireHeader);
}

/** The first block that the other node has after pruning, except for the genesis block. */
export async function firstOf(ask: Ask) {
  return idOf((await ask('eth_getBlockByNumber', ['earliest', false])) as WireHeader);
}

export async function hashAt(ask: Ask, number: bigint): Promise<Uint8Array | undefined> {
  const block = (await ask('eth_getBlockByNumber', [quantity(number), false])) as WireHeader | null;
  return block ? hexToBytes(block.hash) : undefined;
}

/** A block's RLP. */
export async function rawBlock(ask: Ask, number: bigint): Promise<Uint8Array> {
  return hexToBytes((await ask('debug_getRawBlock', [quantity(number)])) as PrefixedHexString);
}

/**
 * The senders of a block's transactions.
 * @param options.pending whether the block was pending a moment ago; it may be sealed by now
 * @throws Behind when the block doesn't exist any more
 */
export async function sendersOf(
  ask: Ask,
  number: bigint,
  { pending = false }: { pending?: boolean } = {},
): Promise<Senders> {
  for (const ref of [...(pending ? ['pending'] : []), quantity(number)]) {
    const block = (await ask('eth_getBlockByNumber', [ref, true])) as
      | (WireHeader & { transactions: WireTransaction[] })
      | null;
    if (block && BigInt(block.number) === number)
      return new Map(block.transactions.map(({ hash, from }) => [hash, new Address(hexToBytes(from))]));
  }
  throw new Behind();
}
