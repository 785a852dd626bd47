import { blockNumber } from '../codec/block-ref.ts';
import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/** How many uncles a block has: none since the merge; null when there is no such block. */
export const eth_getUncleCountByBlockNumber = defineMethod({
  name: 'eth_getUncleCountByBlockNumber',
  kind: 'read',
  forkable: true,
  params: [blockNumber],
  handler: async ({ chain }, ref) => {
    const block = await chain.resolve(ref);
    return block ? quantity(block.uncles.length) : null;
  },
});
