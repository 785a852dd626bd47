import { boolean, hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockText } from '../format/block-text.ts';
import { JsonText } from '../json-text.ts';
import { ofBlock } from '../read/block-at.ts';

/**
 * Returns a block by hash, with the hashes of its transactions or (`true`) whole transactions, or null if there is none.
 * @returns the block, or null
 */
export const eth_getBlockByHash = defineMethod({
  kind: 'read',
  forkable: true,
  params: [hash32, boolean],
  handler: ({ chain }, hash, full) =>
    ofBlock(chain, { hash }, (block) => new JsonText(blockText(block, full))),
});
