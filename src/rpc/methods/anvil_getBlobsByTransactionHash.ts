import { hexToBytes } from '@ethereumjs/util';
import { hex } from '../codec/hex.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** The blobs of a transaction in its order; null for a transaction without any, and when not all of them are kept. */
export const anvil_getBlobsByTransactionHash = defineMethod({
  name: 'anvil_getBlobsByTransactionHash',
  kind: 'node',
  live: true,
  params: [hash32],
  handler: ({ chain, blobs }, hash) => {
    const place = chain.findTransaction(hash);
    const tx = place?.block.transactions[place.index]?.tx;
    if (tx?.type !== 3) return null;
    const found = tx.blobVersionedHashes.map((versioned) => blobs.get(hexToBytes(versioned)));
    return found.every((blob) => blob !== undefined) ? found.map(hex) : null;
  },
});
