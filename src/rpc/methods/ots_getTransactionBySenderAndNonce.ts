import { hex } from '../codec/hex.ts';
import { address, uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { findSealedBySender } from '../read/find-by-sender.ts';

/**
 * Returns the hash of the sealed transaction of a sender with a nonce, or null if there is none.
 * @returns a hash, or null
 */
export const ots_getTransactionBySenderAndNonce = defineMethod({
  kind: 'read',
  forkable: true,
  transactionOf: (answer) => answer,
  params: [address, uint64],
  handler: async ({ chain }, sender, nonce) => {
    const place = await findSealedBySender(chain, sender, nonce);
    return place ? hex(place.block.transactions[place.index]!.hash) : null;
  },
});
