import { string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** Makes an account with a key that nobody knows; locked until it is unlocked with the passphrase. */
export const personal_newAccount = defineMethod({
  name: 'personal_newAccount',
  kind: 'node',
  params: [string],
  handler: ({ signers }, passphrase) => signers.create(passphrase).toString(),
});
