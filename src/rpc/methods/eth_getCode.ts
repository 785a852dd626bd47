import { blockRef } from '../codec/block-ref.ts';
import { hex } from '../codec/hex.ts';
import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/** An account's code; `0x` when it has none. */
export const eth_getCode = defineMethod({
  kind: 'read',
  forkable: true,
  params: [address, blockRef],
  handler: async ({ chain }, account, ref) => hex(await (await blockAt(chain, ref)).state.getCode(account)),
});
