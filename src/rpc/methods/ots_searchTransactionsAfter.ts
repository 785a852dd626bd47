import { address, uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { pageSize, searchAfter } from '../read/ots-search.ts';

/**
 * Returns a page of the transactions that involve an address, in blocks after the given one; 0 starts at the first block.
 * @returns `{ txs, receipts, firstPage, lastPage }`
 */
export const ots_searchTransactionsAfter = defineMethod({
  kind: 'read',
  computes: true,
  params: [address, uint64, pageSize],
  handler: (context, account, number, size) => searchAfter({ address: account, number, size }, context),
});
