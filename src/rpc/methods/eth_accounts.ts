import { defineMethod } from '../define-method.ts';

/**
 * Returns the addresses that the node signs for.
 * @returns a list of addresses
 * @geth geth lists the accounts of its key store; here they are the dev accounts, and those of `personal_importRawKey`
 */
export const eth_accounts = defineMethod({
  kind: 'node',
  handler: ({ signers }) => signers.addresses,
});
