import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns a gas price, in wei per gas, that gets a transaction into the next block.
 * @returns a quantity
 * @geth geth adds the tip that recent blocks paid to the base fee of the newest block; here it is the base fee of the next block
 */
export const eth_gasPrice = defineMethod({
  kind: 'read',
  handler: ({ fees }) => quantity(fees.suggestedPrice()),
});
