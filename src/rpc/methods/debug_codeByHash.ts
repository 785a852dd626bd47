import { anyBlock } from '../codec/block-ref.ts';
import { optional } from '../codec/codec.ts';
import { hex } from '../codec/hex.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns the code with the given hash, whichever account has it, or `0x` if there is none. The block parameter is ignored.
 * @returns bytes
 */
export const debug_codeByHash = defineMethod({
  kind: 'read',
  params: [hash32, optional(anyBlock)],
  handler: ({ database }, hash) => hex(database.getCode(hash) ?? new Uint8Array()),
});
