import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/** The number of the newest sealed block. */
export const eth_blockNumber = defineMethod({
  name: 'eth_blockNumber',
  kind: 'read',
  params: [],
  handler: ({ chain }) => quantity(chain.latest.header.number),
});
