import { hex } from '../codec/hex.ts';
import { hash32, uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns the EIP-2718 bytes of the transaction at an index in a block, or null if there is none.
 * @returns bytes, or null
 * @geth geth answers `0x` where there is none
 */
export const eth_getRawTransactionByBlockHashAndIndex = defineMethod({
  kind: 'read',
  forkable: true,
  params: [hash32, uint64],
  handler: async ({ chain }, hash, index) => {
    const transaction = (await chain.resolve({ hash }))?.transactions[Number(index)];
    return transaction ? hex(transaction.raw) : null;
  },
});
