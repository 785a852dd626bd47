import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatNonces } from '../format/pool.ts';
import { formatTransaction } from '../format/transaction.ts';

/**
 * Returns the waiting transactions of a sender by nonce: those that can be executed now (`pending`), and those after a nonce gap
 * (`queued`).
 * @returns `{ pending, queued }`
 * @geth pre-confirmed transactions are in the open block here, not in the pool
 */
export const txpool_contentFrom = defineMethod({
  kind: 'node',
  params: [address],
  handler: ({ pool }, sender) => {
    const of = (all: ReturnType<typeof pool.pending>) =>
      formatNonces(all.get(sender.toString()) ?? [], (waiting) => formatTransaction(waiting));
    return { pending: of(pool.pending()), queued: of(pool.queued()) };
  },
});
