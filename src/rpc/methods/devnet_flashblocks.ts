import { defineMethod } from '../define-method.ts';

/**
 * The newest 300 flashblocks that were published, the oldest first, and when. Each has `payloadId`, `blockNumber`, `index`,
 * and `at` and `sealedAt` (of its block, null before): milliseconds since the Unix epoch on the node's clock. `transactions` and
 * `gasUsed` are those of the block up to the flashblock, so that a transaction came with the first flashblock that has more
 * transactions than its index. The list is empty in modes without pre-confirmation.
 * @returns a list of objects
 */
export const devnet_flashblocks = defineMethod({
  kind: 'read',
  handler: ({ flashblocks }) => flashblocks.list(),
});
