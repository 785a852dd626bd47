import { blockNumber } from '../codec/block-ref.ts';
import { boolean } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatBlock } from '../format/block.ts';

/** A block by number or tag, with transaction hashes or whole transactions; null when there is none. */
export const eth_getBlockByNumber = defineMethod({
  kind: 'read',
  forkable: true,
  params: [blockNumber, boolean],
  handler: async ({ chain }, ref, full) => {
    const block = await chain.resolve(ref);
    return block ? formatBlock(block, full) : null;
  },
});
