import { blockNumber } from '../codec/block-ref.ts';
import { hex } from '../codec/hex.ts';
import { uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns the EIP-2718 bytes of the transaction at an index in a block, or null if there is none.
 * @returns bytes, or null
 * @geth geth answers `0x` where there is none
 */
export const eth_getRawTransactionByBlockNumberAndIndex = defineMethod({
  kind: 'read',
  forkable: true,
  params: [blockNumber, uint64],
  handler: async ({ chain }, ref, index) => {
    const transaction = (await chain.resolve(ref))?.transactions[Number(index)];
    return transaction ? hex(transaction.raw) : null;
  },
});
