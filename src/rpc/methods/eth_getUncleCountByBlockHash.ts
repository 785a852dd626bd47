import { quantity } from '../codec/hex.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { ofBlock } from '../read/block-at.ts';

/**
 * Returns the number of uncles in a block, 0 since the Merge, or null if there is no such block.
 * @returns a quantity, or null
 */
export const eth_getUncleCountByBlockHash = defineMethod({
  kind: 'read',
  forkable: true,
  params: [hash32],
  handler: ({ chain }, hash) => ofBlock(chain, { hash }, ({ uncles }) => quantity(uncles.length)),
});
