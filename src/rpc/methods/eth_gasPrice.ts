import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/** Wei per gas that gets a transaction into the next block. */
export const eth_gasPrice = defineMethod({
  name: 'eth_gasPrice',
  kind: 'read',
  params: [],
  handler: ({ fees }) => quantity(fees.suggestedPrice()),
});
