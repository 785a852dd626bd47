import { blockNumber } from '../codec/block-ref.ts';
import { defineMethod } from '../define-method.ts';
import { formatHeader } from '../format/block.ts';
import { ofBlock } from '../read/block-at.ts';

/**
 * Returns a block's header by number or tag, or null if there is none.
 * @returns the header, or null
 * @geth for `pending`, geth returns null for hash, nonce and miner; here they are those of the open block
 */
export const eth_getHeaderByNumber = defineMethod({
  kind: 'read',
  forkable: true,
  params: [blockNumber],
  handler: ({ chain }, ref) => ofBlock(chain, ref, formatHeader),
});
