import { encodeBlock } from '../../chain/store/block-codec.ts';
import { anyBlock } from '../codec/block-ref.ts';
import { hex } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * Returns a block in RLP, in its network encoding.
 * @returns bytes
 */
export const debug_getRawBlock = defineMethod({
  kind: 'read',
  forkable: true,
  params: [anyBlock],
  handler: async ({ chain }, ref) => hex(encodeBlock(await blockAt(chain, ref))),
});
