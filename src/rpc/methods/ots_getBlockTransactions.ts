import { blockNumber } from '../codec/block-ref.ts';
import { uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatBlockPage } from '../format/ots-blocks.ts';
import { pageSize } from '../read/ots-search.ts';

/**
 * Returns a page of a block's transactions and receipts, or null if there is no such block. The parameters are the block, the page and its
 * size. Page 0 has the last transactions of the block.
 * @returns `{ fullblock, receipts }`, or null
 */
export const ots_getBlockTransactions = defineMethod({
  kind: 'read',
  forkable: true,
  params: [blockNumber, uint64, pageSize],
  handler: async ({ chain }, ref, page, size) => {
    const block = await chain.resolve(ref);
    return block ? formatBlockPage(block, Number(page), size) : null;
  },
});
