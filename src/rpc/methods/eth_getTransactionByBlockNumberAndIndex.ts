import { blockNumber } from '../codec/block-ref.ts';
import { uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { transactionText } from '../format/block-text.ts';
import { JsonText } from '../json-text.ts';
import { ofBlock } from '../read/block-at.ts';

/**
 * Returns the transaction at an index in a block, or null if there is none.
 * @returns the transaction, or null
 */
export const eth_getTransactionByBlockNumberAndIndex = defineMethod({
  kind: 'read',
  forkable: true,
  params: [blockNumber, uint64],
  handler: ({ chain }, ref, position) =>
    ofBlock(chain, ref, (block) => {
      const index = Number(position);
      return index < block.transactions.length ? new JsonText(transactionText(block, index)) : null;
    }),
});
