import { hash32 as key, string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** Takes in a private key. Its account is locked until it is unlocked with the passphrase. Answers the address. */
export const personal_importRawKey = defineMethod({
  name: 'personal_importRawKey',
  kind: 'node',
  params: [key, string],
  handler: ({ signers }, key, passphrase) => signers.add(key, passphrase).toString(),
});
