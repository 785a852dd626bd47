import { defineMethod } from '../define-method.ts';

/**
 * Makes a filter that collects the hashes of the transactions that enter the mempool.
 * @returns the id of the filter, a quantity
 */
export const eth_newPendingTransactionFilter = defineMethod({
  kind: 'read',
  handler: ({ filters }) => filters.addTransactions(),
});
