import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/** Who gets the fees of the next block. */
export const eth_coinbase = defineMethod({
  name: 'eth_coinbase',
  kind: 'read',
  params: [],
  handler: async ({ chain }) => (await blockAt(chain, { tag: 'pending' })).header.coinbase.toString(),
});
