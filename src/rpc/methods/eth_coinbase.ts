import { blockAt } from '../block-at.ts';
import { defineMethod } from '../define-method.ts';

/** Who gets the fees of the next block. */
export const eth_coinbase = defineMethod({
  name: 'eth_coinbase',
  params: [],
  handler: async ({ chain }) => (await blockAt(chain, { tag: 'pending' })).header.coinbase.toString(),
});
