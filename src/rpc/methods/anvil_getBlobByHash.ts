import { hex } from '../codec/hex.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns a blob by its versioned hash (EIP-4844), or null if the node doesn't have it.
 * @returns the blob in hex, or null
 */
export const anvil_getBlobByHash = defineMethod({
  kind: 'node',
  live: true,
  params: [hash32],
  handler: ({ blobs }, hash) => {
    const blob = blobs.get(hash);
    return blob ? hex(blob) : null;
  },
});
