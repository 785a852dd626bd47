import type { RpcContext } from '../context.ts';
import { findTransaction } from './find-transaction.ts';

/**
 * Returns the EIP-2718 bytes of a sealed, pre-confirmed or waiting transaction. They don't depend on the block, so the look-up is never
 * delayed.
 */
export function findRaw(
  context: Pick<RpcContext, 'chain' | 'pool'>,
  hash: Uint8Array,
): Uint8Array | undefined {
  const found = findTransaction(context, hash);
  return found && (found.waiting ?? found.place.block.transactions[found.place.index])?.raw;
}
