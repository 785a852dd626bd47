import type { Transaction } from '../../chain/block.ts';
import type { TransactionPosition } from '../../chain/refs.ts';
import type { RpcContext } from '../context.ts';
import { Elsewhere } from '../fork/reader.ts';

/** Where a transaction is: in a sealed or open block, or in the mempool. */
export type Found =
  | { readonly place: TransactionPosition; readonly waiting?: undefined }
  | { readonly place?: undefined; readonly waiting: Transaction };

/**
 * Finds a transaction by its hash, as the request sees it.
 * @param held what {@link PoolReader.hold} found waiting when the request came. It is found in any case, as on a node that
 *   answers at once: it may have been dropped or replaced meanwhile
 */
export function findTransaction(
  { chain, pool }: Pick<RpcContext, 'chain' | 'pool'>,
  hash: Uint8Array,
  held?: Transaction,
): Found | undefined {
  const waiting = pool.find(hash);
  if (waiting) return { waiting };
  let elsewhere: Elsewhere | undefined;
  try {
    const place = chain.findTransaction(hash);
    if (place) return { place };
  } catch (error) {
    if (!(error instanceof Elsewhere)) throw error;
    elsewhere = error;
  }
  // One that was included after the moment that the reads of a batch see waited at that moment.
  const earlier = held ?? pool.included(hash);
  if (earlier) return { waiting: earlier };
  if (elsewhere) throw elsewhere;
  return undefined;
}
