import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatReceipt } from '../format/receipt.ts';

/** The receipt of a sealed or pre-confirmed transaction; null for others. */
export const eth_getTransactionReceipt = defineMethod({
  kind: 'read',
  forkable: true,
  params: [hash32],
  handler: ({ chain }, hash) => {
    const place = chain.findTransaction(hash);
    return place ? formatReceipt(place.block, place.index) : null;
  },
});
