import { equalsBytes } from '@ethereumjs/util';
import type { BlockRef } from '../../chain/refs.ts';
import { readBytes, readQuantity } from '../../remote/wire.ts';
import { isObject } from '../codec/codec.ts';
import { hex, quantity } from '../codec/hex.ts';
import type { ForkContext } from './context.ts';

/**
 * Returns whether a forked chain has a block of the other chain: a canonical one, up to the fork block. Blocks after that, or beside the
 * canonical chain, aren't part of the forked chain.
 * @param hash hash of a block that this node doesn't have
 * @throws DevnetError with the other node's error, or `remoteFailed` if it doesn't answer
 */
export async function sharesBlock(fork: ForkContext, hash: Uint8Array): Promise<boolean> {
  const block = await fork.request('eth_getBlockByHash', [hex(hash), false]);
  if (!isObject(block)) return false;
  const number = numberOf(block.number);
  if (number === undefined || number >= fork.number) return false;
  const canonical = await fork.request('eth_getBlockByNumber', [quantity(number), false]);
  return isObject(canonical) && isHash(canonical.hash, hash);
}

/** Returns whether a transaction is in a block of the other chain that the forked chain has. Throws like {@link sharesBlock}. */
export async function sharesTransaction(fork: ForkContext, hash: string): Promise<boolean> {
  const transaction = await fork.request('eth_getTransactionByHash', [hash]);
  if (!isObject(transaction)) return false;
  // A waiting transaction has no block number.
  const number = numberOf(transaction.blockNumber);
  if (number === undefined || number > fork.number) return false;
  return number < fork.number || isHash(transaction.blockHash, fork.hash);
}

/**
 * Replaces the tag `earliest`, which on a forked chain means the other chain's first block, by its number, which the other node is asked
 * for. Throws like {@link sharesBlock}.
 */
export async function withoutEarliest(fork: ForkContext, ref: BlockRef): Promise<BlockRef> {
  if (!('tag' in ref) || ref.tag !== 'earliest') return ref;
  const first = await fork.request('eth_getBlockByNumber', ['earliest', false]);
  const number = (isObject(first) && numberOf(first.number)) || 0n;
  // The other node may have pruned the blocks before the fork.
  return { number: number < fork.number ? number : fork.number };
}

function numberOf(value: unknown): bigint | undefined {
  return value === undefined || value === null ? undefined : readQuantity(value, 'block number');
}

function isHash(value: unknown, hash: Uint8Array): boolean {
  return equalsBytes(readBytes(value, 'block hash', 32), hash);
}
