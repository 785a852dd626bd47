import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { receiptText } from '../format/block-text.ts';
import { JsonText } from '../json-text.ts';

/**
 * Returns the receipt of a sealed or pre-confirmed transaction, or null if there is none.
 * @returns the receipt, or null
 * @geth geth has no receipts of pre-confirmed transactions
 */
export const eth_getTransactionReceipt = defineMethod({
  kind: 'read',
  forkable: true,
  params: [hash32],
  handler: ({ chain }, hash) => {
    const place = chain.findTransaction(hash);
    return place ? new JsonText(receiptText(place.block, place.index)) : null;
  },
});
