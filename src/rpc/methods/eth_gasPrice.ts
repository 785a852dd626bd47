import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/**
 * A gas price, in wei per gas, with which a transaction gets into the next block.
 * @returns a quantity
 * @geth geth adds the tip that recent blocks paid to the base fee of the newest block; here the base fee is that of
 * the next one
 */
export const eth_gasPrice = defineMethod({
  kind: 'read',
  handler: ({ fees }) => quantity(fees.suggestedPrice()),
});
