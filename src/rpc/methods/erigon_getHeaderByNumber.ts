import { blockNumber } from '../codec/block-ref.ts';
import { defineMethod } from '../define-method.ts';
import { formatBlock } from '../format/block.ts';

/**
 * Returns a block by number or tag with the hashes of its transactions, as anvil does, or null if there is none.
 * @returns the block, or null
 */
export const erigon_getHeaderByNumber = defineMethod({
  kind: 'read',
  forkable: true,
  params: [blockNumber],
  handler: async ({ chain }, ref) => {
    const block = await chain.resolve(ref);
    return block ? formatBlock(block, false) : null;
  },
});
