import { blockNumber } from '../codec/block-ref.ts';
import { uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatUncle } from '../format/block.ts';

/**
 * Returns the header of the uncle at an index in a block, or null if there is none, as in every block since the Merge.
 * @returns a header, or null
 */
export const eth_getUncleByBlockNumberAndIndex = defineMethod({
  kind: 'read',
  forkable: true,
  params: [blockNumber, uint64],
  handler: async ({ chain }, ref, index) => {
    const uncle = (await chain.resolve(ref))?.uncles[Number(index)];
    return uncle ? formatUncle(uncle) : null;
  },
});
