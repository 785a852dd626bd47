import { signHash } from '../../protocol/sign-hash.ts';
import { withDefault } from '../codec/codec.ts';
import { hex } from '../codec/hex.ts';
import { address, data, string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { messageHash } from '../send/message-hash.ts';

/**
 * Signs a message (EIP-191) with an account that the passphrase unlocks for this call. The parameters are message, account and passphrase,
 * as in geth.
 * @returns a signature of 65 bytes
 * @throws unknownAccount
 */
export const personal_sign = defineMethod({
  kind: 'node',
  params: [data, address, withDefault(string, '')],
  handler: async ({ signers }, message, signer, passphrase) =>
    hex(
      await signers.unlockedFor(signer, passphrase, () =>
        signHash(messageHash(message), signers.account(signer).privateKey),
      ),
    ),
});
