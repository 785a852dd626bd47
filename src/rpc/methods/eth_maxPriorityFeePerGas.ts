import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns the suggested tip in wei per gas.
 * @returns a quantity
 * @geth geth computes it from the tips of the last 20 blocks; here it is 1 gwei (`--disable-min-priority-fee`: 0)
 */
export const eth_maxPriorityFeePerGas = defineMethod({
  kind: 'read',
  handler: ({ fees }) => quantity(fees.suggestedTip),
});
