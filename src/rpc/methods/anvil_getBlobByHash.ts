import { hash32 } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { hex } from '../hex.ts';

/** A blob by its versioned hash (EIP-4844); null when it isn't kept. */
export const anvil_getBlobByHash = defineMethod({
  name: 'anvil_getBlobByHash',
  params: [hash32],
  handler: ({ blobs }, hash) => {
    const blob = blobs.get(hash);
    return blob ? hex(blob) : null;
  },
});
