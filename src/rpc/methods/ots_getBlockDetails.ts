import { blockNumber } from '../codec/block-ref.ts';
import { defineMethod } from '../define-method.ts';
import { formatBlockDetails } from '../format/ots-blocks.ts';

/** A block without its transactions, with what was paid and issued in it; null when there is none. */
export const ots_getBlockDetails = defineMethod({
  name: 'ots_getBlockDetails',
  kind: 'read',
  forkable: true,
  params: [blockNumber],
  handler: async ({ chain, forks }, ref) => {
    const block = await chain.resolve(ref);
    return block ? formatBlockDetails(block, forks) : null;
  },
});
