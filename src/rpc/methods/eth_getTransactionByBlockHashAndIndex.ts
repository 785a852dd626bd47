import { hash32, uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { transactionText } from '../format/block-text.ts';
import { JsonText } from '../json-text.ts';
import { ofBlock } from '../read/block-at.ts';

/**
 * Returns the transaction at an index in a block, or null if there is none.
 * @returns the transaction, or null
 */
export const eth_getTransactionByBlockHashAndIndex = defineMethod({
  kind: 'read',
  forkable: true,
  params: [hash32, uint64],
  handler: ({ chain }, hash, position) =>
    ofBlock(chain, { hash }, (block) => {
      const index = Number(position);
      return index < block.transactions.length ? new JsonText(transactionText(block, index)) : null;
    }),
});
