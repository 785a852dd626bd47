import { hash32, uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatTransaction } from '../format/transaction.ts';

/** The transaction at an index in a block; null when there is none. */
export const eth_getTransactionByBlockHashAndIndex = defineMethod({
  kind: 'read',
  forkable: true,
  params: [hash32, uint64],
  handler: async ({ chain }, hash, position) => {
    const block = await chain.resolve({ hash });
    const index = Number(position);
    const transaction = block?.transactions[index];
    return block && transaction ? formatTransaction(transaction, { block, index }) : null;
  },
});
