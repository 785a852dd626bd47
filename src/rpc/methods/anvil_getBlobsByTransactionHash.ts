import { hexToBytes } from '@ethereumjs/util';
import { hex } from '../codec/hex.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns a transaction's blobs (EIP-4844) in the transaction's order, or null if it has none or the node lacks one of them.
 * @returns a list of blobs in hex, or null
 */
export const anvil_getBlobsByTransactionHash = defineMethod({
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
