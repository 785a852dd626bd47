import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatHeader } from '../format/block.ts';

/** A block's header by its hash; null when there is none. */
export const eth_getHeaderByHash = defineMethod({
  kind: 'read',
  forkable: true,
  params: [hash32],
  handler: async ({ chain }, hash) => {
    const block = await chain.resolve({ hash });
    return block ? formatHeader(block) : null;
  },
});
