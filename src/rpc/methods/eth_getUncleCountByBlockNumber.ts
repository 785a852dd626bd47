import { blockNumber } from '../codec/block-ref.ts';
import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/** The number of uncles in a block, 0 since the Merge; null when there is no such block. */
export const eth_getUncleCountByBlockNumber = defineMethod({
  kind: 'read',
  forkable: true,
  params: [blockNumber],
  handler: async ({ chain }, ref) => {
    const block = await chain.resolve(ref);
    return block ? quantity(block.uncles.length) : null;
  },
});
