import { encodeReceipt } from '../../chain/store/block-codec.ts';
import { anyBlock } from '../codec/block-ref.ts';
import { hex } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * Returns a block's receipts, each in its consensus encoding (EIP-2718).
 * @returns a list of bytes
 */
export const debug_getRawReceipts = defineMethod({
  kind: 'read',
  forkable: true,
  params: [anyBlock],
  handler: async ({ chain }, ref) =>
    (await blockAt(chain, ref)).receipts.map((receipt) => hex(encodeReceipt(receipt))),
});
