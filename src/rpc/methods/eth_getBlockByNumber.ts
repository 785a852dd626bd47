import { blockNumber } from '../codec/block-ref.ts';
import { boolean } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockText } from '../format/block-text.ts';
import { JsonText } from '../json-text.ts';
import { ofBlock } from '../read/block-at.ts';

/**
 * Returns a block by number or tag, with the hashes of its transactions or (`true`) whole transactions, or null if there is none.
 * @returns the block, or null
 * @geth for `pending`, geth returns null for hash, nonce and miner; here they are those of the open block
 */
export const eth_getBlockByNumber = defineMethod({
  kind: 'read',
  forkable: true,
  params: [blockNumber, boolean],
  handler: ({ chain }, ref, full) => ofBlock(chain, ref, (block) => new JsonText(blockText(block, full))),
});
