import { quantity } from '../codec/hex.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** How many uncles a block has: none since the merge; null when there is no such block. */
export const eth_getUncleCountByBlockHash = defineMethod({
  name: 'eth_getUncleCountByBlockHash',
  kind: 'read',
  forkable: true,
  params: [hash32],
  handler: async ({ chain }, hash) => {
    const block = await chain.resolve({ hash });
    return block ? quantity(block.uncles.length) : null;
  },
});
