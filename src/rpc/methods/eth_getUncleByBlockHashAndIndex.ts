import { hash32, uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatUncle } from '../format/block.ts';

/** An uncle's header; null when there is none, which is so since the merge. */
export const eth_getUncleByBlockHashAndIndex = defineMethod({
  name: 'eth_getUncleByBlockHashAndIndex',
  kind: 'read',
  forkable: true,
  params: [hash32, uint64],
  handler: async ({ chain }, hash, index) => {
    const uncle = (await chain.resolve({ hash }))?.uncles[Number(index)];
    return uncle ? formatUncle(uncle) : null;
  },
});
