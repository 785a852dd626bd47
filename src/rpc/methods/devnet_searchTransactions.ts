import { withDefault } from '../codec/codec.ts';
import { transactionSearch } from '../codec/transaction-search.ts';
import { defineMethod } from '../define-method.ts';
import { searchTransactions } from '../read/transaction-search.ts';

/**
 * The newest transactions in sealed blocks, or those before or after a place `{ block, index }`, that match all fields
 * of the search: `from`, `to`, `creates` (whether they create a contract), `selector` (the first 4 bytes of the input),
 * `failed`. Empty blocks don't count: the search goes on to the end of the chain, 10,000 blocks at most in one request.
 * `limit` is 25, and 1,000 at most.
 * @returns `{ transactions, receipts, next }`: receipts have the `timestamp` of their block; the search goes on at
 *   `next`, a place to be given as `before` (or `after`), which is null at the end of the chain
 */
export const devnet_searchTransactions = defineMethod({
  kind: 'read',
  computes: true,
  params: [withDefault(transactionSearch, { limit: 25 })],
  handler: (context, search) => searchTransactions(search, context),
});
