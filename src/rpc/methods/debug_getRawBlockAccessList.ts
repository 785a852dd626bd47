import { anyBlock } from '../codec/block-ref.ts';
import { hex } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';
import { accessListOf } from '../read/access-list.ts';
import { ofBlock } from '../read/block-at.ts';

/**
 * Returns a block's access list in RLP (EIP-7928), whose hash is in the header, or null if there is no such block.
 * @returns bytes, or null
 * @throws noAccessList
 */
export const debug_getRawBlockAccessList = defineMethod({
  kind: 'read',
  forkable: true,
  params: [anyBlock],
  handler: ({ chain }, ref) => ofBlock(chain, ref, (block) => hex(accessListOf(block))),
});
