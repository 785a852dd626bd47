import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatHeader } from '../format/block.ts';
import { ofBlock } from '../read/block-at.ts';

/**
 * Returns a block's header by its hash, or null if there is none.
 * @returns the header, or null
 */
export const eth_getHeaderByHash = defineMethod({
  kind: 'read',
  forkable: true,
  params: [hash32],
  handler: ({ chain }, hash) => ofBlock(chain, { hash }, formatHeader),
});
