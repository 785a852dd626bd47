import { Address, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { Senders } from '../sequencer/replica.ts';
import type { BlockId } from './sequence.ts';

/** What is asked of the other node's chain. */
export type Ask = (method: string, params?: readonly unknown[]) => Promise<unknown>;

/** Fields of a block or a header on the wire that are looked at here. */
export interface WireHeader {
  readonly number: PrefixedHexString;
  readonly hash: PrefixedHexString;
  readonly parentHash: PrefixedHexString;
}

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

export async function hashAt(ask: Ask, number: bigint): Promise<Uint8Array | undefined> {
  const block = (await ask('eth_getBlockByNumber', [quantity(number), false])) as WireHeader | null;
  return block ? hexToBytes(block.hash) : undefined;
}

/** A block's RLP. */
export async function rawBlock(ask: Ask, number: bigint): Promise<Uint8Array> {
  return hexToBytes((await ask('debug_getRawBlock', [quantity(number)])) as PrefixedHexString);
}

/** Who sent the transactions of a block, or of the block that is pending. */
export async function sendersOf(ask: Ask, block: bigint | 'pending'): Promise<Senders> {
  const ref = block === 'pending' ? block : quantity(block);
  const { transactions } = (await ask('eth_getBlockByNumber', [ref, true])) as {
    transactions: WireTransaction[];
  };
  return new Map(transactions.map(({ hash, from }) => [hash, new Address(hexToBytes(from))]));
}
