import { defineMethod } from '../define-method.ts';

/**
 * Returns the chain id as a decimal string.
 * @returns a decimal text
 */
export const net_version = defineMethod({
  kind: 'read',
  handler: ({ chainId }) => chainId.toString(),
});
