import { defineMethod } from '../define-method.ts';
import { formatPool, formatSummary } from '../format/pool.ts';

/**
 * Returns all waiting transactions by sender and nonce, each as one line of text.
 * @returns `{ pending, queued }`
 * @geth pre-confirmed transactions are in the open block here, not in the pool
 */
export const txpool_inspect = defineMethod({
  kind: 'node',
  handler: ({ pool }) => ({
    pending: formatPool(pool.pending(), formatSummary),
    queued: formatPool(pool.queued(), formatSummary),
  }),
});
