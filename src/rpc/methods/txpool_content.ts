import { defineMethod } from '../define-method.ts';
import { formatPool } from '../format/pool.ts';
import { formatTransaction } from '../format/transaction.ts';

/**
 * All waiting transactions: sender -> nonce -> transaction.
 * @returns `{ pending, queued }`
 * @geth pre-confirmed transactions are in the partial block here, not in the pool
 */
export const txpool_content = defineMethod({
  kind: 'node',
  handler: ({ pool }) => ({
    pending: formatPool(pool.pending(), (waiting) => formatTransaction(waiting)),
    queued: formatPool(pool.queued(), (waiting) => formatTransaction(waiting)),
  }),
});
