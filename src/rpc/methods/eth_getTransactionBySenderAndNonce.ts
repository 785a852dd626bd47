import { address, uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatTransaction } from '../format/transaction.ts';
import { findBySender } from '../read/find-by-sender.ts';

/**
 * The transaction of a sender with a nonce, waiting or included; null when there is none.
 * @returns the transaction, or null
 * @geth geth has no such method
 */
export const eth_getTransactionBySenderAndNonce = defineMethod({
  kind: 'read',
  forkable: true,
  transactionOf: (answer) => (answer as { hash?: unknown }).hash,
  params: [address, uint64],
  handler: async ({ chain, pool }, sender, nonce) => {
    const waiting = pool.at(sender, nonce);
    if (waiting) return formatTransaction(waiting);
    const place = await findBySender(chain, sender, nonce);
    return place ? formatTransaction(place.block.transactions[place.index]!, place) : null;
  },
});
