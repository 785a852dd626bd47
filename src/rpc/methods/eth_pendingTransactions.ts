import { defineMethod } from '../define-method.ts';
import { formatTransaction } from '../format/transaction.ts';

/**
 * Returns the waiting transactions that can be executed now, without those after a nonce gap.
 * @returns a list of transactions
 * @geth geth lists only those of its own accounts
 */
export const eth_pendingTransactions = defineMethod({
  kind: 'node',
  handler: ({ pool }) => [...pool.pending().values()].flat().map((waiting) => formatTransaction(waiting)),
});
