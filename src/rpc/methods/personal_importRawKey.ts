import { hash32 as key, string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Adds a private key's account, locked until `personal_unlockAccount` with the passphrase. Answers its address.
 * @returns an address
 * @geth geth writes the key to its key store; here it is gone when the node ends
 */
export const personal_importRawKey = defineMethod({
  kind: 'node',
  params: [key, string],
  handler: ({ signers }, key, passphrase) => signers.add(key, passphrase).toString(),
});
