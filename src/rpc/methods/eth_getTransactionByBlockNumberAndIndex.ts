import { blockNumber } from '../codec/block-ref.ts';
import { uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatTransaction } from '../format/transaction.ts';

/** The transaction at an index in a block; null when there is none. */
export const eth_getTransactionByBlockNumberAndIndex = defineMethod({
  kind: 'read',
  forkable: true,
  params: [blockNumber, uint64],
  handler: async ({ chain }, ref, position) => {
    const block = await chain.resolve(ref);
    const index = Number(position);
    const transaction = block?.transactions[index];
    return block && transaction ? formatTransaction(transaction, { block, index }) : null;
  },
});
