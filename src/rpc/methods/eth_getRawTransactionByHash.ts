import { hex } from '../codec/hex.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { findRaw } from '../read/find-raw.ts';

/**
 * Returns the EIP-2718 bytes of a sealed, pre-confirmed or waiting transaction, or null if there is none, as in anvil.
 * @returns bytes, or null
 * @geth geth answers `0x` where there is none
 */
export const eth_getRawTransactionByHash = defineMethod({
  kind: 'read',
  forkable: true,
  params: [hash32],
  isMissing: (answer) => answer === null,
  handler: (context, hash) => {
    const raw = findRaw(context, hash);
    return raw ? hex(raw) : null;
  },
});
