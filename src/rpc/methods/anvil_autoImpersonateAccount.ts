import { boolean } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * With `true`, `eth_sendTransaction` sends for every account, also without its key. `false` ends that.
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
