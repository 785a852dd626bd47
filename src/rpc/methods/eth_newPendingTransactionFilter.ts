import { defineMethod } from '../define-method.ts';

/**
 * Makes a filter that collects the hashes of the transactions that enter the mempool.
 * @returns the id of the filter, a quantity
 * @geth ids of filters are random in geth, and counted here
 */
export const eth_newPendingTransactionFilter = defineMethod({
  kind: 'read',
  handler: ({ filters }) => filters.addTransactions(),
});
