import { changesAt } from '../../chain/access-part.ts';
import { anyBlock } from '../codec/block-ref.ts';
import { uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatAccesses } from '../format/access-list.ts';
import { accessListOf } from '../read/access-list.ts';
import { ofBlock } from '../read/block-at.ts';

/**
 * Returns the changes at one index of a block's access list (EIP-7928). Index 0 is the start of the block, then come its transactions, then
 * its end. For the block that is being built, accounts and slots that were only read at this index are included; the access list of a
 * sealed block doesn't tell at which index they were read. Returns null if there is no such block.
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
