import { Address, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { RpcClient } from '../remote/rpc-client.ts';
import type { Senders } from '../sequencer/outside/replica.ts';
import type { BlockId } from './sequence.ts';

/** Milliseconds that the other node may take for an answer to what isn't passed on for somebody else. */
const ANSWER_MS = 30_000;

/** What is asked of the other node's chain. */
export type Ask = (method: string, params?: readonly unknown[]) => Promise<unknown>;

/** Asks with a time limit: a node whose socket lives may still never answer. */
export function askerOf(client: RpcClient): Ask {
  return (method, params) => client.request(method, params, ANSWER_MS);
}

/** Fields of a block or a header on the wire that are looked at here. */
export interface WireHeader {
  readonly number: PrefixedHexString;
  readonly hash: PrefixedHexString;
  readonly parentHash: PrefixedHexString;
}

/** The blocks that come next here are gone there. */
export class PrunedAway extends Error {
  override readonly name = 'PrunedAway';

  constructor(number: bigint) {
    super(
      `block ${number} is pruned at the node that makes the blocks (--prune-history): this chain can't go on from ` +
        `block ${number - 1n}`,
    );
  }
}

/** The other chain isn't any more what it was when it was asked. */
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

/** The first block that is kept besides the genesis block. */
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
 * Who sent the transactions of a block.
 * @param options.pending the block was pending a moment ago, and may be sealed since
 * @throws Behind when there is no such block any more
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
