import { defineMethod } from '../define-method.ts';

/**
 * The addresses that the node signs for.
 * @returns a list of addresses
 */
export const eth_accounts = defineMethod({
  kind: 'node',
  handler: ({ signers }) => signers.addresses,
});
