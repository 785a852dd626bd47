import { boolean, hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatBlock } from '../format/block.ts';

/** A block by hash, with transaction hashes or whole transactions; null when there is none. */
export const eth_getBlockByHash = defineMethod({
  kind: 'read',
  forkable: true,
  params: [hash32, boolean],
  handler: async ({ chain }, hash, full) => {
    const block = await chain.resolve({ hash });
    return block ? formatBlock(block, full) : null;
  },
});
