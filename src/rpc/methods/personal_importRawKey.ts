import { hash32 as key, string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Adds the account of a private key, and returns its address. The account is locked until `personal_unlockAccount` is called with the
 * passphrase.
 * @returns an address
 * @geth geth writes the key to its key store; here it is lost when the node ends
 */
export const personal_importRawKey = defineMethod({
  kind: 'node',
  params: [key, string],
  handler: ({ signers }, key, passphrase) => signers.add(key, passphrase).toString(),
});
