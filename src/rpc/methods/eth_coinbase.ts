import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * Returns the address that receives the next block's fees.
 * @returns an address
 * @geth geth has no such method since version 1.14
 */
export const eth_coinbase = defineMethod({
  kind: 'read',
  handler: async ({ chain }) => (await blockAt(chain, { tag: 'pending' })).header.coinbase.toString(),
});
