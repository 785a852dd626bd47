import { quantity } from '../codec/hex.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** The number of transactions in a block; null when there is no such block. */
export const eth_getBlockTransactionCountByHash = defineMethod({
  kind: 'read',
  forkable: true,
  params: [hash32],
  handler: async ({ chain }, hash) => {
    const block = await chain.resolve({ hash });
    return block ? quantity(block.transactions.length) : null;
  },
});
