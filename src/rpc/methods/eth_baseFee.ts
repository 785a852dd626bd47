import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns the next block's base fee in wei per gas.
 * @returns a quantity
 */
export const eth_baseFee = defineMethod({
  kind: 'read',
  handler: ({ fees }) => quantity(fees.next().baseFee ?? 0n),
});
