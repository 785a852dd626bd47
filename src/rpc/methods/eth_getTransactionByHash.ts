import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { transactionText } from '../format/block-text.ts';
import { formatTransaction } from '../format/transaction.ts';
import { JsonText } from '../json-text.ts';
import { findTransaction } from '../read/find-transaction.ts';

/**
 * A sealed, pre-confirmed or waiting transaction; null when there is none. One that waits in the mempool has no block:
 * `blockHash`, `blockNumber` and `transactionIndex` are null. While partial blocks are on, the answer for one that the next
 * partial block is to take is held until then, one and a half intervals at most, and then has its place in the block.
 * @returns the transaction, or null
 * @geth geth answers at once, without a block, until the transaction is sealed
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
