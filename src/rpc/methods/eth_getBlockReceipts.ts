import { anyBlock } from '../codec/block-ref.ts';
import { defineMethod } from '../define-method.ts';
import { formatReceipts } from '../format/receipt.ts';

/** All receipts of a block; null when there is no such block. */
export const eth_getBlockReceipts = defineMethod({
  kind: 'read',
  forkable: true,
  params: [anyBlock],
  handler: async ({ chain }, ref) => {
    const block = await chain.resolve(ref);
    return block ? formatReceipts(block) : null;
  },
});
