import { defineMethod } from '../define-method.ts';
import { formatPool, formatSummary } from '../format/pool.ts';

/**
 * All waiting transactions as one line of text each: sender -> nonce -> line.
 * @returns `{ pending, queued }`
 * @geth pre-confirmed transactions are in the partial block here, not in the pool
 */
export const txpool_inspect = defineMethod({
  kind: 'node',
  handler: ({ pool }) => ({
    pending: formatPool(pool.pending(), formatSummary),
    queued: formatPool(pool.queued(), formatSummary),
  }),
});
