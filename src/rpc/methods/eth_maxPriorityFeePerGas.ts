import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/**
 * The suggested tip in wei per gas.
 * @returns a quantity
 */
export const eth_maxPriorityFeePerGas = defineMethod({
  kind: 'read',
  handler: ({ fees }) => quantity(fees.suggestedTip),
});
