import { withDefault } from '../codec/codec.ts';
import { transactionSearch } from '../codec/transaction-search.ts';
import { defineMethod } from '../define-method.ts';
import { searchTransactions } from '../read/transaction-search.ts';

/**
 * Returns the newest transactions in sealed blocks that match all given fields: `from`, `to`, `creates` (whether the transaction creates a
 * contract), `selector` (the first 4 bytes of the input), `failed`. With `before` or `after`, a place `{ block, index }`, it returns those
 * before or after this place. One request searches at most 10,000 blocks, not counting blocks already known to be empty. `limit` is the
 * maximum number of transactions: 25 by default, at most 1,000.
 * @returns `{ transactions, receipts, next }`: each receipt also has the `timestamp` of its block; `next` is the place to
 * give as `before` (or `after`) to go on with the search, null at the end of the chain
 */
export const devnet_searchTransactions = defineMethod({
  kind: 'read',
  computes: true,
  params: [withDefault(transactionSearch, { limit: 25 })],
  handler: (context, search) => searchTransactions(search, context),
});
