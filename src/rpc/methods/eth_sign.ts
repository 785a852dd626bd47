import { signHash } from '../../protocol/sign-hash.ts';
import { hex } from '../codec/hex.ts';
import { address, data } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { messageHash } from '../send/message-hash.ts';

/**
 * Signs a message with a dev account (EIP-191).
 * @returns a signature of 65 bytes
 * @throws unknownAccount
 */
export const eth_sign = defineMethod({
  kind: 'node',
  params: [address, data],
  handler: async ({ signers }, signer, message) =>
    hex(await signHash(messageHash(message), signers.account(signer).privateKey)),
});
