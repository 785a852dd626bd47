import { blockNumber } from '../codec/block-ref.ts';
import { defineMethod } from '../define-method.ts';
import { formatHeader } from '../format/block.ts';
import { ofBlock } from '../read/block-at.ts';

/**
 * A block's header by number or tag; null when there is none.
 * @returns the header, or null
 * @geth at `pending`, geth answers null for hash, nonce and miner; here they are those of the partial block
 */
export const eth_getHeaderByNumber = defineMethod({
  kind: 'read',
  forkable: true,
  params: [blockNumber],
  handler: ({ chain }, ref) => ofBlock(chain, ref, formatHeader),
});
