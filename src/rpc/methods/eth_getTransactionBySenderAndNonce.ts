import { address, uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatTransaction } from '../format/transaction.ts';
import { findBySender } from '../read/find-by-sender.ts';

/**
 * Returns the transaction of a sender with a nonce, waiting or in a block, or null if there is none. With partial blocks, the answer may be
 * delayed in the same way as that of `eth_getTransactionByHash`.
 * @returns the transaction, or null
 * @geth geth has no such method
 */
export const eth_getTransactionBySenderAndNonce = defineMethod({
  kind: 'read',
  forkable: true,
  transactionOf: (answer) => (answer as { hash?: unknown }).hash,
  params: [address, uint64],
  isMissing: (answer) => answer === null,
  hold: ({ pool }, sender, nonce) => {
    const waiting = pool.at(sender, nonce);
    return waiting && pool.hold(waiting.hash);
  },
  handler: async ({ chain, pool }, sender, nonce, held) => {
    const waiting = pool.at(sender, nonce);
    if (waiting) return formatTransaction(waiting);
    const place = await findBySender(chain, sender, nonce);
    if (place) return formatTransaction(place.block.transactions[place.index]!, place);
    return held ? formatTransaction(held) : null;
  },
});
