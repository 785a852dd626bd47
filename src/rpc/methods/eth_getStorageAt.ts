import { andThen } from '../../state/view.ts';
import { blockRef } from '../codec/block-ref.ts';
import { word } from '../codec/hex.ts';
import { address, slot } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { readState } from '../read/block-at.ts';

/**
 * Returns the 32 bytes in an account's storage slot.
 * @returns 32 bytes
 */
export const eth_getStorageAt = defineMethod({
  kind: 'read',
  forkable: true,
  params: [address, slot, blockRef],
  handler: ({ chain }, account, key, ref) =>
    readState(chain, ref, (state) => andThen(state.getStorage(account, key), word)),
});
