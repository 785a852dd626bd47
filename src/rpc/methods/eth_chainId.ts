import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns the chain id (EIP-695).
 * @returns a quantity
 */
export const eth_chainId = defineMethod({
  kind: 'read',
  handler: ({ chainId }) => quantity(chainId),
});
