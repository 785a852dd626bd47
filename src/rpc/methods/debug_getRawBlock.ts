import { encodeBlock } from '../../chain/store/block-codec.ts';
import { blockAt } from '../block-at.ts';
import { anyBlock } from '../codec-block-ref.ts';
import { defineMethod } from '../define-method.ts';
import { hex } from '../hex.ts';

/** A block in RLP, as the network has it. */
export const debug_getRawBlock = defineMethod({
  name: 'debug_getRawBlock',
  params: [anyBlock],
  handler: async ({ chain }, ref) => hex(encodeBlock(await blockAt(chain, ref))),
});
