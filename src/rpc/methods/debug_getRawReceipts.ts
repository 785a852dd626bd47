import { encodeReceipt } from '../../chain/store/block-codec.ts';
import { blockAt } from '../block-at.ts';
import { anyBlock } from '../codec-block-ref.ts';
import { defineMethod } from '../define-method.ts';
import { hex } from '../hex.ts';

/** A block's receipts, each in its consensus encoding (EIP-2718). */
export const debug_getRawReceipts = defineMethod({
  name: 'debug_getRawReceipts',
  params: [anyBlock],
  handler: async ({ chain }, ref) =>
    (await blockAt(chain, ref)).receipts.map((receipt) => hex(encodeReceipt(receipt))),
});
