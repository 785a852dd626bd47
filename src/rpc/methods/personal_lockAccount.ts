import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** The node no longer signs for this account. Answers whether it could. */
export const personal_lockAccount = defineMethod({
  name: 'personal_lockAccount',
  kind: 'node',
  params: [address],
  handler: ({ signers }, account) => signers.lock(account),
});
