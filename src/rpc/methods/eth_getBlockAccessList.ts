import { decodeAccessList } from '../../protocol/access-list.ts';
import { anyBlock } from '../codec/block-ref.ts';
import { defineMethod } from '../define-method.ts';
import { formatAccesses } from '../format/access-list.ts';
import { accessListOf } from '../read/access-list.ts';
import { ofBlock } from '../read/block-at.ts';

/**
 * Returns what a block read and changed of each account (EIP-7928), or null if there is no such block. In the list, index 0 is the start of
 * the block, 1 its first transaction, and the index after that of its last transaction is the end of the block.
 * @returns a list of objects, or null
 * @throws noAccessList
 */
export const eth_getBlockAccessList = defineMethod({
  kind: 'read',
  forkable: true,
  params: [anyBlock],
  handler: ({ chain }, ref) =>
    ofBlock(chain, ref, (block) => decodeAccessList(accessListOf(block)).map(formatAccesses)),
});
