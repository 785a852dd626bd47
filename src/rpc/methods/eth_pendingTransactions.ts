import { defineMethod } from '../define-method.ts';
import { formatTransaction } from '../format/transaction.ts';

/**
 * The waiting transactions that can be executed now, without those behind a nonce gap.
 * @returns a list of transactions
 * @geth geth lists only those of its own accounts
 */
export const eth_pendingTransactions = defineMethod({
  kind: 'node',
  handler: ({ pool }) => [...pool.pending().values()].flat().map((waiting) => formatTransaction(waiting)),
});
