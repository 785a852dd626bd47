import { defineMethod } from '../define-method.ts';

/**
 * Returns the newest 300 published flashblocks, the oldest first. Each has `payloadId`, `blockNumber`, `index`, `at` (when it was
 * published) and `sealedAt` (when its block was sealed, null before that), in milliseconds since the Unix epoch on the node's clock.
 * `transactions` and `gasUsed` count from the start of the block up to this flashblock: a transaction was first published in the first
 * flashblock whose `transactions` is greater than the transaction's index. The list is empty in modes without pre-confirmation.
 * @returns a list of objects
 */
export const devnet_flashblocks = defineMethod({
  kind: 'read',
  handler: ({ flashblocks }) => flashblocks.list(),
});
