import type { Transaction } from '../../chain/block.ts';
import type { TransactionPosition } from '../../chain/refs.ts';
import type { RpcContext } from '../context.ts';
import { OnRemoteChain } from '../fork/reader.ts';

/** Where a transaction is: in a sealed or open block, or in the mempool. */
export type Found =
  | { readonly place: TransactionPosition; readonly waiting?: undefined }
  | { readonly place?: undefined; readonly waiting: Transaction };

/**
 * Finds a transaction by its hash, in the snapshot that the request sees.
 * @param held the transaction that {@link PoolReader.hold} found waiting when the request arrived. It is returned even if it was dropped or
 * replaced in the meantime, as on a node that answers at once
 */
export function findTransaction(
  { chain, pool }: Pick<RpcContext, 'chain' | 'pool'>,
  hash: Uint8Array,
  held?: Transaction,
): Found | undefined {
  const waiting = pool.find(hash);
  if (waiting) return { waiting };
  let onRemoteChain: OnRemoteChain | undefined;
  try {
    const place = chain.findTransaction(hash);
    if (place) return { place };
  } catch (error) {
    if (!(error instanceof OnRemoteChain)) throw error;
    onRemoteChain = error;
  }
  // A transaction that was included after a batch's snapshot was still waiting in that snapshot.
  const earlier = held ?? pool.included(hash);
  if (earlier) return { waiting: earlier };
  if (onRemoteChain) throw onRemoteChain;
  return undefined;
}
