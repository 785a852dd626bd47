import { quantity } from '../codec/hex.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { ofBlock } from '../read/block-at.ts';

/**
 * Returns the number of transactions in a block, or null if there is no such block.
 * @returns a quantity, or null
 */
export const eth_getBlockTransactionCountByHash = defineMethod({
  kind: 'read',
  forkable: true,
  params: [hash32],
  handler: ({ chain }, hash) => ofBlock(chain, { hash }, ({ transactions }) => quantity(transactions.length)),
});
