import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Locks an account: the node no longer signs for it. Returns whether the node has its private key.
 * @returns true or false
 */
export const personal_lockAccount = defineMethod({
  kind: 'node',
  params: [address],
  handler: ({ signers }, account) => signers.lock(account),
});
