import { hash32, uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatUncle } from '../format/block.ts';

/**
 * Returns the header of the uncle at an index in a block, or null if there is none, as in every block since the Merge.
 * @returns a header, or null
 */
export const eth_getUncleByBlockHashAndIndex = defineMethod({
  kind: 'read',
  forkable: true,
  params: [hash32, uint64],
  handler: async ({ chain }, hash, index) => {
    const uncle = (await chain.resolve({ hash }))?.uncles[Number(index)];
    return uncle ? formatUncle(uncle) : null;
  },
});
