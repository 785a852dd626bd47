import { defineMethod } from '../define-method.ts';

/** The chain id as a decimal string. */
export const net_version = defineMethod({
  name: 'net_version',
  kind: 'read',
  params: [],
  handler: ({ chainId }) => chainId.toString(),
});
