import { blockRef } from '../codec/block-ref.ts';
import { word } from '../codec/hex.ts';
import { address, slot } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/** The 32 bytes in an account's storage slot. */
export const eth_getStorageAt = defineMethod({
  kind: 'read',
  forkable: true,
  params: [address, slot, blockRef],
  handler: async ({ chain }, account, key, ref) =>
    word(await (await blockAt(chain, ref)).state.getStorage(account, key)),
});
