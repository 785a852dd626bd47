import { defineMethod } from '../define-method.ts';

/** The chain id as a decimal string. */
export const net_version = defineMethod({
  name: 'net_version',
  params: [],
  handler: ({ chainId }) => chainId.toString(),
});
