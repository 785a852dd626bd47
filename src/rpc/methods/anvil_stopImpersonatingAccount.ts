import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Ends `anvil_impersonateAccount` for an account. With `--compat hardhat` it returns whether the account was impersonated.
 * @returns null; true or false as Hardhat
 */
export const anvil_stopImpersonatingAccount = defineMethod({
  kind: 'dev',
  params: [address],
  handler: ({ signers, shapes }, account) => shapes.pick(null, signers.stopImpersonating(account)),
});
