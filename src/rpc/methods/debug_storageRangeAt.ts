import { anyBlock } from '../codec/block-ref.ts';
import { address, data, number } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';
import { storageRange } from '../read/storage-range.ts';

/**
 * Returns a part of an account's storage as it was before the transaction at an index of a block. The parameters are the block, the index,
 * the account, the hashed slot to start from, and the maximum number of slots. Slots are in the order of their hashes.
 * @returns `{ storage, nextKey }`; `storage` has `{ key, value }` by hashed slot
 */
export const debug_storageRangeAt = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [anyBlock, number, address, data, number],
  handler: async ({ chain, tracing }, ref, index, account, start, limit) => {
    const view = await blockAt(chain, ref);
    return storageRange(view, await tracing.stateBefore(view, index), account, start, limit);
  },
});
