import { equalsBytes } from '@ethereumjs/util';
import type { BlockRef } from '../../chain/refs.ts';
import { readBytes, readQuantity } from '../../remote/wire.ts';
import { isObject } from '../codec/codec.ts';
import { hex, quantity } from '../codec/hex.ts';
import type { ForkContext } from './context.ts';

/**
 * Whether a forked chain has a block of the other chain: a canonical one, up to the block that was forked. What the other
 * chain has after that block, or beside its canonical chain, isn't a part of the forked chain.
 * @param hash of a block that isn't known here
 * @throws DevnetError as the other node answers, `remoteFailed` when it doesn't
 */
export async function sharesBlock(fork: ForkContext, hash: Uint8Array): Promise<boolean> {
  const block = await fork.request('eth_getBlockByHash', [hex(hash), false]);
  if (!isObject(block)) return false;
  const number = numberOf(block.number);
  if (number === undefined || number >= fork.number) return false;
  const canonical = await fork.request('eth_getBlockByNumber', [quantity(number), false]);
  return isObject(canonical) && isHash(canonical.hash, hash);
}

/** Whether a transaction is in a block that a forked chain has of the other chain. Errors as {@link sharesBlock}. */
export async function sharesTransaction(fork: ForkContext, hash: string): Promise<boolean> {
  const transaction = await fork.request('eth_getTransactionByHash', [hash]);
  if (!isObject(transaction)) return false;
  // It has no number while it waits there.
  const number = numberOf(transaction.blockNumber);
  if (number === undefined || number > fork.number) return false;
  return number < fork.number || isHash(transaction.blockHash, fork.hash);
}

/**
 * A block of a forked chain without the tag `earliest`, which is the other chain's first block: its node is asked for the
 * number. Errors as {@link sharesBlock}.
 */
export async function withoutEarliest(fork: ForkContext, ref: BlockRef): Promise<BlockRef> {
  if (!('tag' in ref) || ref.tag !== 'earliest') return ref;
  const first = await fork.request('eth_getBlockByNumber', ['earliest', false]);
  const number = (isObject(first) && numberOf(first.number)) || 0n;
  // A node that dropped old blocks may begin after the fork point.
  return { number: number < fork.number ? number : fork.number };
}

function numberOf(value: unknown): bigint | undefined {
  return value === undefined || value === null ? undefined : readQuantity(value, 'block number');
}

function isHash(value: unknown, hash: Uint8Array): boolean {
  return equalsBytes(readBytes(value, 'block hash', 32), hash);
}
