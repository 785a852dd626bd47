import { decodeAccessList } from '../../protocol/access-list.ts';
import { anyBlock } from '../codec/block-ref.ts';
import { defineMethod } from '../define-method.ts';
import { formatAccesses } from '../format/access-list.ts';
import { accessListOf } from '../read/access-list.ts';
import { ofBlock } from '../read/block-at.ts';

/**
 * What a block has accessed and changed of each account (EIP-7928); null when there is no such block. Indexes are 0 for the start of the
 * block, from 1 on for its transactions, and the next one for its end.
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
