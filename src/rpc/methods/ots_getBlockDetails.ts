import { blockNumber } from '../codec/block-ref.ts';
import { defineMethod } from '../define-method.ts';
import { formatBlockDetails } from '../format/ots-blocks.ts';

/**
 * Returns a block by number or tag without its transactions, with its fees and its issuance in wei, or null if there is none.
 * @returns `{ block, issuance, totalFees }`, or null
 */
export const ots_getBlockDetails = defineMethod({
  kind: 'read',
  forkable: true,
  params: [blockNumber],
  handler: async ({ chain, forks }, ref) => {
    const block = await chain.resolve(ref);
    return block ? formatBlockDetails(block, forks) : null;
  },
});
