import { anyBlock } from '../codec/block-ref.ts';
import { defineMethod } from '../define-method.ts';
import { receiptsText } from '../format/block-text.ts';
import { JsonText } from '../json-text.ts';
import { ofBlock } from '../read/block-at.ts';

/**
 * Returns all receipts of a block, or null if there is no such block.
 * @returns a list of receipts, or null
 */
export const eth_getBlockReceipts = defineMethod({
  kind: 'read',
  forkable: true,
  params: [anyBlock],
  handler: ({ chain }, ref) => ofBlock(chain, ref, (block) => new JsonText(receiptsText(block))),
});
