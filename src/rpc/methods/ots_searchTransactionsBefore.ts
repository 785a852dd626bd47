import { address, uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { pageSize, searchBefore } from '../read/ots-search.ts';

/**
 * Returns a page of the transactions that involve an address, in blocks before the given one; 0 starts at `latest`.
 * @returns `{ txs, receipts, firstPage, lastPage }`
 */
export const ots_searchTransactionsBefore = defineMethod({
  kind: 'read',
  computes: true,
  params: [address, uint64, pageSize],
  handler: (context, account, number, size) => searchBefore({ address: account, number, size }, context),
});
