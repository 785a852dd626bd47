import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/** The chain id (EIP-695). */
export const eth_chainId = defineMethod({
  name: 'eth_chainId',
  kind: 'read',
  params: [],
  handler: ({ chainId }) => quantity(chainId),
});
