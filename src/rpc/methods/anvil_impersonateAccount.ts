import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * From now on `eth_sendTransaction` sends for this account without its key, even if the account has code.
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
