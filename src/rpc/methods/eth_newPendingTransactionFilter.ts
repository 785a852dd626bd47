import { defineMethod } from '../define-method.ts';

/**
 * Creates a filter that collects the hashes of transactions that enter the mempool, for `eth_getFilterChanges`.
 * @returns the id of the filter, a quantity
 * @geth filter ids are random in geth; here they count up
 */
export const eth_newPendingTransactionFilter = defineMethod({
  kind: 'read',
  handler: ({ filters }) => filters.addTransactions(),
});
