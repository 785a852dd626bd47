import { blockNumber } from '../codec/block-ref.ts';
import { boolean } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockText } from '../format/block-text.ts';
import { JsonText } from '../json-text.ts';
import { ofBlock } from '../read/block-at.ts';

/**
 * A block by number or tag, with transaction hashes or whole transactions; null when there is none.
 * @returns the block, or null
 * @geth at `pending`, geth answers null for hash, nonce and miner; here they are those of the partial block
 */
export const eth_getBlockByNumber = defineMethod({
  kind: 'read',
  forkable: true,
  params: [blockNumber, boolean],
  handler: ({ chain }, ref, full) => ofBlock(chain, ref, (block) => new JsonText(blockText(block, full))),
});
