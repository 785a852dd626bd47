import { defineMethod } from '../define-method.ts';
import { quantity } from '../hex.ts';

/** The chain id (EIP-695). */
export const eth_chainId = defineMethod({
  name: 'eth_chainId',
  params: [],
  handler: ({ chainId }) => quantity(chainId),
});
