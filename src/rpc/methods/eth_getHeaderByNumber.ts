import { blockNumber } from '../codec/block-ref.ts';
import { defineMethod } from '../define-method.ts';
import { formatHeader } from '../format/block.ts';

/** A block's header by number or tag; null when there is none. */
export const eth_getHeaderByNumber = defineMethod({
  kind: 'read',
  forkable: true,
  params: [blockNumber],
  handler: async ({ chain }, ref) => {
    const block = await chain.resolve(ref);
    return block ? formatHeader(block) : null;
  },
});
