import { hash32 as key, string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Adds an account with the given private key. It is locked until `personal_unlockAccount` is called with the
 * passphrase. Answers the address.
 */
export const personal_importRawKey = defineMethod({
  kind: 'node',
  params: [key, string],
  handler: ({ signers }, key, passphrase) => signers.add(key, passphrase).toString(),
});
