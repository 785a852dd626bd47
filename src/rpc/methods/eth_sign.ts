import { signHash } from '../../evm/sign-hash.ts';
import { address, data } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { hex } from '../hex.ts';
import { messageHash } from '../message-hash.ts';

/** Signs a message with a dev account (EIP-191). */
export const eth_sign = defineMethod({
  name: 'eth_sign',
  params: [address, data],
  handler: async ({ signers }, signer, message) =>
    hex(await signHash(messageHash(message), signers.account(signer).privateKey)),
});
