import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/**
 * A gas price, in wei per gas, with which a transaction gets into the next block.
 * @returns a quantity
 */
export const eth_gasPrice = defineMethod({
  kind: 'read',
  handler: ({ fees }) => quantity(fees.suggestedPrice()),
});
