import { defineMethod } from '../define-method.ts';

/** The addresses that the node signs for. */
export const eth_accounts = defineMethod({
  name: 'eth_accounts',
  kind: 'read',
  params: [],
  handler: ({ signers }) => signers.addresses,
});
