import { blockNumber } from '../codec/block-ref.ts';
import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';
import { ofBlock } from '../read/block-at.ts';

/**
 * Returns the number of uncles in a block, 0 since the Merge, or null if there is no such block.
 * @returns a quantity, or null
 */
export const eth_getUncleCountByBlockNumber = defineMethod({
  kind: 'read',
  forkable: true,
  params: [blockNumber],
  handler: ({ chain }, ref) => ofBlock(chain, ref, ({ uncles }) => quantity(uncles.length)),
});
