import { hex } from '../codec/hex.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { findRaw } from '../read/find-raw.ts';

/**
 * Returns the EIP-2718 bytes of a sealed, pre-confirmed or waiting transaction, or `0x` if there is none, as in geth.
 * @returns bytes
 */
export const debug_getRawTransaction = defineMethod({
  kind: 'read',
  forkable: true,
  params: [hash32],
  isMissing: (answer) => answer === '0x',
  handler: (context, hash) => {
    const raw = findRaw(context, hash);
    return raw ? hex(raw) : '0x';
  },
});
