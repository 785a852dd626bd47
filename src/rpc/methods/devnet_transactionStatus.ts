import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { transactionStatus } from '../read/transaction-status.ts';

/**
 * Returns what happened to a transaction, as far as the node remembers. `status` is one of these. `waiting`: in the mempool; `waitsFor` is
 * `nonce` (an earlier transaction of the sender is missing), `fee` (its fee cap, or that of an earlier transaction of the sender, is below
 * the base fee), `gas` (its gas limit is above the block gas limit), `flashblock` or `block` (the next one may include it), and `reason`
 * says it in words. `preconfirmed` or `sealed`: in a block; `flashblockIndex` is null if the node doesn't remember in which flashblock it
 * was published. `dropped` from the mempool, with the `reason`. `replaced` by the transaction `replacedBy` of the same sender and nonce.
 * `reorged`: its block was removed, and no other block has it. `refused` when it was sent, with the `reason`. `unknown`: it is neither in
 * the chain nor in the mempool, and the node remembers nothing of it.
 *
 * `events` lists what happened, the oldest first. Each has `event` (`received`, `preconfirmed`, `sealed`, `reorged`, `dropped`, `replaced`
 * or `refused`), `at` in milliseconds since the Unix epoch on the node's clock, and where they apply `blockNumber`, `flashblockIndex`,
 * `reason` and `replacedBy`. The node remembers the newest 32 events of each transaction, for at least the newest 10,000 and at most 20,000
 * transactions, until it stops. For transactions from before its start, the chain tells only which are sealed.
 * @returns `{ hash, status, reason, waitsFor, replacedBy, blockHash, blockNumber, transactionIndex, flashblockIndex, events }`
 */
export const devnet_transactionStatus = defineMethod({
  kind: 'node',
  params: [hash32],
  handler: transactionStatus,
});
