import { boolean } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Makes `eth_sendTransaction` send for every account, even without its private key (`true`), or ends that (`false`).
 * @returns null; true as Hardhat
 */
export const anvil_autoImpersonateAccount = defineMethod({
  kind: 'dev',
  params: [boolean],
  handler: ({ signers, shapes }, on) => {
    signers.impersonateAll(on);
    return shapes.done;
  },
});
