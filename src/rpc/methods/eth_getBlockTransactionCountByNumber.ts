import { blockNumber } from '../codec/block-ref.ts';
import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';
import { ofBlock } from '../read/block-at.ts';

/**
 * Returns the number of transactions in a block, or null if there is no such block.
 * @returns a quantity, or null
 */
export const eth_getBlockTransactionCountByNumber = defineMethod({
  kind: 'read',
  forkable: true,
  params: [blockNumber],
  handler: ({ chain }, ref) => ofBlock(chain, ref, ({ transactions }) => quantity(transactions.length)),
});
