import { string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Adds an account with a new random key, and returns its address. The account is locked until `personal_unlockAccount` is called with the
 * passphrase.
 * @returns an address
 * @geth geth writes the key to its key store; here it is lost when the node ends
 */
export const personal_newAccount = defineMethod({
  kind: 'node',
  params: [string],
  handler: ({ signers }, passphrase) => signers.create(passphrase).toString(),
});
