import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { transactionText } from '../format/block-text.ts';
import { formatTransaction } from '../format/transaction.ts';
import { JsonText } from '../json-text.ts';
import { findTransaction } from '../read/find-transaction.ts';

/**
 * Returns a sealed, pre-confirmed or waiting transaction, or null if there is none. For a waiting transaction `blockHash`, `blockNumber`
 * and `transactionIndex` are null. With partial blocks, if the next partial block will include the transaction, the answer is delayed until
 * then, at most by one and a half intervals, and says in which block the transaction is.
 * @returns the transaction, or null
 * @geth geth answers immediately, without a block, until the transaction is sealed
 */
export const eth_getTransactionByHash = defineMethod({
  kind: 'read',
  forkable: true,
  params: [hash32],
  isMissing: (answer) => answer === null,
  hold: ({ pool }, hash) => pool.hold(hash),
  handler: (context, hash, held) => {
    const found = findTransaction(context, hash, held);
    if (!found) return null;
    if (found.waiting) return formatTransaction(found.waiting);
    return new JsonText(transactionText(found.place.block, found.place.index));
  },
});
