import { hash32 } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { quantity } from '../hex.ts';

/** How many uncles a block has: none since the merge; null when there is no such block. */
export const eth_getUncleCountByBlockHash = defineMethod({
  name: 'eth_getUncleCountByBlockHash',
  params: [hash32],
  handler: async ({ chain }, hash) => {
    const block = await chain.resolve({ hash });
    return block ? quantity(block.uncles.length) : null;
  },
});
