import { signHash } from '../../evm/sign-hash.ts';
import { withDefault } from '../codec.ts';
import { address, data, string } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { hex } from '../hex.ts';
import { messageHash } from '../message-hash.ts';

/** Signs a message (EIP-191) with an account, which the passphrase, as geth and web3 pass it, unlocks for this once. */
export const personal_sign = defineMethod({
  name: 'personal_sign',
  params: [data, address, withDefault(string, '')],
  handler: async ({ signers }, message, signer, passphrase) =>
    hex(
      await signers.unlockedFor(signer, passphrase, () =>
        signHash(messageHash(message), signers.account(signer).privateKey),
      ),
    ),
});
