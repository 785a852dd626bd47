import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { transactionStatus } from '../read/transaction-status.ts';

/**
 * What became of a transaction, and what the node remembers of its life. `status` is one of these. `waiting`: it is in the
 * mempool; `waitsFor` is `nonce` (a transaction of the sender before it is missing), `fee` (its fee cap, or that of one before
 * it, is below the base fee), `gas` (its gas limit is above the block gas limit), `flashblock` or `block` (the next one may take
 * it), and `reason` says it in words. `preconfirmed` or `sealed`: it has a place; `flashblockIndex` is null where no flashblock
 * is remembered that had it. `dropped`, with the `reason`. `replaced` by the transaction `replacedBy` of the same sender and
 * nonce. `reorged`: its block was taken back, and it is in no other one. `refused` when it was sent, with the `reason`.
 * `unknown`: it is neither in the chain nor in the mempool, and nothing is remembered of it.
 *
 * `events` has what happened, the oldest first. Each has `event` (`received`, `preconfirmed`, `sealed`, `reorged`, `dropped`,
 * `replaced` or `refused`), `at` in milliseconds since the Unix epoch on the node's clock, and as far as they apply
 * `blockNumber`, `flashblockIndex`, `reason` and `replacedBy`. The newest 32 events of the newest 10,000 transactions, of
 * 20,000 at most, are remembered until the node stops. Of transactions from before its start the chain tells which are sealed.
 * @returns `{ hash, status, reason, waitsFor, replacedBy, blockHash, blockNumber, transactionIndex, flashblockIndex, events }`
 */
export const devnet_transactionStatus = defineMethod({
  kind: 'node',
  params: [hash32],
  handler: transactionStatus,
});
