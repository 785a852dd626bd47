import { blockNumber } from '../codec/block-ref.ts';
import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/** The number of transactions in a block; null when there is no such block. */
export const eth_getBlockTransactionCountByNumber = defineMethod({
  kind: 'read',
  forkable: true,
  params: [blockNumber],
  handler: async ({ chain }, ref) => {
    const block = await chain.resolve(ref);
    return block ? quantity(block.transactions.length) : null;
  },
});
