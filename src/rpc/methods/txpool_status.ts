import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns the number of waiting transactions that can be executed now (`pending`), and of those after a nonce gap (`queued`).
 * @returns `{ pending, queued }`, quantities
 * @geth pre-confirmed transactions are in the open block here, not in the pool
 */
export const txpool_status = defineMethod({
  kind: 'node',
  handler: ({ pool }) => ({
    pending: quantity(count(pool.pending())),
    queued: quantity(count(pool.queued())),
  }),
});

function count(bySender: ReadonlyMap<string, readonly unknown[]>): number {
  let total = 0;
  for (const transactions of bySender.values()) total += transactions.length;
  return total;
}
