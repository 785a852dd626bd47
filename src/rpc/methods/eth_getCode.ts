import { blockAt } from '../block-at.ts';
import { blockRef } from '../codec-block-ref.ts';
import { address } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { hex } from '../hex.ts';

/** A contract's code; `0x` for an account without. */
export const eth_getCode = defineMethod({
  name: 'eth_getCode',
  params: [address, blockRef],
  handler: async ({ chain }, account, ref) => hex(await (await blockAt(chain, ref)).state.getCode(account)),
});
