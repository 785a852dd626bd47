import { blockNumber } from '../codec/block-ref.ts';
import { uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatUncle } from '../format/block.ts';

/** An uncle's header; null when there is none, which is so since the merge. */
export const eth_getUncleByBlockNumberAndIndex = defineMethod({
  name: 'eth_getUncleByBlockNumberAndIndex',
  kind: 'read',
  forkable: true,
  params: [blockNumber, uint64],
  handler: async ({ chain }, ref, index) => {
    const uncle = (await chain.resolve(ref))?.uncles[Number(index)];
    return uncle ? formatUncle(uncle) : null;
  },
});
