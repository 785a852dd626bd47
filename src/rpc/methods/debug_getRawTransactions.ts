import { anyBlock } from '../codec/block-ref.ts';
import { hex } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * Returns a block's transactions, each as its EIP-2718 bytes. Blob transactions are without their blobs.
 * @returns a list of bytes
 * @geth geth has no such method; it is reth's
 */
export const debug_getRawTransactions = defineMethod({
  kind: 'read',
  forkable: true,
  params: [anyBlock],
  handler: async ({ chain }, ref) => (await blockAt(chain, ref)).transactions.map(({ raw }) => hex(raw)),
});
