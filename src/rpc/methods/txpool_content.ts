import { defineMethod } from '../define-method.ts';
import { formatPool } from '../format/pool.ts';
import { formatTransaction } from '../format/transaction.ts';

/**
 * Returns all waiting transactions by sender and nonce: those that can be executed now (`pending`), and those after a nonce gap (`queued`).
 * @returns `{ pending, queued }`
 * @geth pre-confirmed transactions are in the open block here, not in the pool
 */
export const txpool_content = defineMethod({
  kind: 'node',
  handler: ({ pool }) => ({
    pending: formatPool(pool.pending(), (waiting) => formatTransaction(waiting)),
    queued: formatPool(pool.queued(), (waiting) => formatTransaction(waiting)),
  }),
});
