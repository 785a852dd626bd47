import { optional, withDefault } from '../codec/codec.ts';
import { address, quantity, string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Unlocks an account, so that the node signs for it, until `personal_lockAccount`. The duration is ignored. Dev accounts accept any
 * passphrase.
 * @returns true
 * @geth geth locks the account again after the duration, 300 s by default
 * @throws unknownAccount
 */
export const personal_unlockAccount = defineMethod({
  kind: 'node',
  params: [address, withDefault(string, ''), optional(quantity)],
  handler: ({ signers }, account, passphrase) => {
    signers.unlock(account, passphrase);
    return true;
  },
});
