import { optional, withDefault } from '../codec/codec.ts';
import { address, quantity, string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** The node signs for this account. The dev accounts have no passphrase: any is taken. The duration isn't kept. */
export const personal_unlockAccount = defineMethod({
  name: 'personal_unlockAccount',
  kind: 'node',
  params: [address, withDefault(string, ''), optional(quantity)],
  handler: ({ signers }, account, passphrase) => {
    signers.unlock(account, passphrase);
    return true;
  },
});
