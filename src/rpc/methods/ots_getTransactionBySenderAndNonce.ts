import { address, uint64 } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { findSealedBySender } from '../find-by-sender.ts';
import { hex } from '../hex.ts';

/** The hash of the sealed transaction with which a sender used a nonce; null when there is none. */
export const ots_getTransactionBySenderAndNonce = defineMethod({
  name: 'ots_getTransactionBySenderAndNonce',
  params: [address, uint64],
  handler: async ({ chain }, sender, nonce) => {
    const place = await findSealedBySender(chain, sender, nonce);
    return place ? hex(place.block.transactions[place.index]!.hash) : null;
  },
});
