import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { transactionText } from '../format/block-text.ts';
import { formatTransaction } from '../format/transaction.ts';
import { JsonText } from '../json-text.ts';

/**
 * A sealed or pre-confirmed transaction, or a waiting one if the mining mode shows those; else null.
 * @returns the transaction, or null
 * @geth geth shows each transaction of its pool, without a block; here a pre-confirmed one has its place in the
 * partial block
 */
export const eth_getTransactionByHash = defineMethod({
  kind: 'read',
  forkable: true,
  params: [hash32],
  handler: ({ chain, pool }, hash) => {
    const waiting = pool.find(hash);
    if (waiting) return formatTransaction(waiting);
    const place = chain.findTransaction(hash);
    return place ? new JsonText(transactionText(place.block, place.index)) : null;
  },
});
