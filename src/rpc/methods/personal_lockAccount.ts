import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Stops signing for an account. Answers whether the node has its key.
 * @returns true or false
 */
export const personal_lockAccount = defineMethod({
  kind: 'node',
  params: [address],
  handler: ({ signers }, account) => signers.lock(account),
});
