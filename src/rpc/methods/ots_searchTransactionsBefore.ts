import { address, uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { pageSize, searchBefore } from '../read/ots-search.ts';

/** A page of the transactions below a block that an address had to do with; 0 begins at `latest`. */
export const ots_searchTransactionsBefore = defineMethod({
  name: 'ots_searchTransactionsBefore',
  kind: 'read',
  forkable: true,
  params: [address, uint64, pageSize],
  handler: (context, account, number, size) => searchBefore({ address: account, number, size }, context),
});
