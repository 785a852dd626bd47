import { signHash } from '../../protocol/sign-hash.ts';
import { hex } from '../codec/hex.ts';
import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { typedData, typedDataHash } from '../send/typed-data.ts';

/**
 * Signs typed data with a dev account (EIP-712). The data is an object, or its JSON text.
 * @returns a signature of 65 bytes
 * @geth geth leaves this to Clef, its signer (`account_signTypedData`)
 * @throws unknownAccount
 */
export const eth_signTypedData_v4 = defineMethod({
  kind: 'node',
  params: [address, typedData],
  handler: async ({ signers }, signer, typed) =>
    hex(await signHash(typedDataHash(typed), signers.account(signer).privateKey)),
});
