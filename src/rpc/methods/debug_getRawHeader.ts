import { encodeHeader } from '../../chain/header.ts';
import { anyBlock } from '../codec/block-ref.ts';
import { hex } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * Returns a block's header in RLP.
 * @returns bytes
 */
export const debug_getRawHeader = defineMethod({
  kind: 'read',
  forkable: true,
  params: [anyBlock],
  handler: async ({ chain }, ref) => hex(encodeHeader((await blockAt(chain, ref)).header)),
});
