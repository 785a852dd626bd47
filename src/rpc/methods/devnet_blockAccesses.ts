import { changesAt } from '../../chain/access-part.ts';
import { anyBlock } from '../codec/block-ref.ts';
import { uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatAccesses } from '../format/access-list.ts';
import { accessListOf } from '../read/access-list.ts';
import { ofBlock } from '../read/block-at.ts';

/**
 * What one index of a block has changed (EIP-7928): 0 is the start of the block, then come its transactions, and then its end. Of a block
 * that is being built, also what the index has only read: the list of a sealed block doesn't say by which index that was. null when there
 * is no such block.
 * @returns a list of objects as of eth_getBlockAccessList, or null
 * @throws noAccessList
 */
export const devnet_blockAccesses = defineMethod({
  kind: 'read',
  forkable: true,
  params: [anyBlock, uint64],
  handler: ({ chain }, ref, index) =>
    ofBlock(chain, ref, (block) => {
      accessListOf(block);
      return changesAt(block, index)!.accounts.map(formatAccesses);
    }),
});
