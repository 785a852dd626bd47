import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns the next block's blob base fee in wei per blob gas.
 * @returns a quantity
 */
export const eth_blobBaseFee = defineMethod({
  kind: 'read',
  handler: ({ fees }) => quantity(fees.next().blobBaseFee ?? 0n),
});
