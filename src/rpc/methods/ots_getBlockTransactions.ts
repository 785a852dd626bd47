import { blockNumber } from '../codec/block-ref.ts';
import { uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatBlockPage } from '../format/ots-blocks.ts';
import { pageSize } from '../read/ots-search.ts';

/**
 * A page of a block's transactions and receipts; page 0 is the block's end. null when there is no such block.
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
