import { hex } from '../codec/hex.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { findRaw } from '../read/find-raw.ts';

/**
 * A transaction's EIP-2718 bytes; null when there is none, as in anvil.
 * @returns bytes, or null
 * @geth geth answers `0x` where there is none
 */
export const eth_getRawTransactionByHash = defineMethod({
  kind: 'read',
  forkable: true,
  params: [hash32],
  handler: ({ chain, pool }, hash) => {
    const raw = findRaw(chain, pool, hash);
    return raw ? hex(raw) : null;
  },
});
