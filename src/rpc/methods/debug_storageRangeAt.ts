import { anyBlock } from '../codec/block-ref.ts';
import { address, data, number } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';
import { storageRange } from '../read/storage-range.ts';

/**
 * A part of an account's storage in the order of the hashed slots, as it was before the transaction at an index.
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
