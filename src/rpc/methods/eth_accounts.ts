import { defineMethod } from '../define-method.ts';

/** The addresses that the node signs for. */
export const eth_accounts = defineMethod({
  kind: 'read',
  handler: ({ signers }) => signers.addresses,
});
