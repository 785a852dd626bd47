import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns the number of the newest sealed block.
 * @returns a quantity
 */
export const eth_blockNumber = defineMethod({
  kind: 'read',
  handler: ({ chain }) => quantity(chain.latest.header.number),
});
