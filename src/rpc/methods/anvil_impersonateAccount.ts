import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Makes `eth_sendTransaction` send for this account without its private key, even if the account has code.
 * @returns null; true as Hardhat
 */
export const anvil_impersonateAccount = defineMethod({
  kind: 'dev',
  params: [address],
  handler: ({ signers, shapes }, account) => {
    signers.impersonate(account);
    return shapes.done;
  },
});
