import { signHash } from '../../evm/sign-hash.ts';
import { address, data } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { hex } from '../hex.ts';
import { messageHash } from '../message-hash.ts';

/** Signs a message with a dev account (EIP-191). */
export const personal_sign = defineMethod({
  name: 'personal_sign',
  params: [data, address],
  handler: async ({ signers }, message, signer) =>
    hex(await signHash(messageHash(message), signers.account(signer).privateKey)),
});
