import { DevnetError } from '../../errors.ts';
import { hex } from '../codec/hex.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * anvil_dropTransaction, answered as Hardhat does: whether it was there, and an error where it is mined. A name of its own because hardhat-network-helpers
 * refuses anvil's answer, the hash.
 */
export const hardhat_dropTransaction = defineMethod({
  name: 'hardhat_dropTransaction',
  kind: 'dev',
  params: [hash32],
  handler: async ({ chain, controls, cause }, hash) => {
    if (chain.findTransaction(hash)?.block.sealed)
      throw new DevnetError('invalidParams', {
        reason: `Transaction ${hex(hash)} cannot be dropped because it's already mined`,
      });
    const dropped = await controls.drop(cause, (pool) =>
      [pool.get(hash)].filter((found) => found !== undefined),
    );
    return dropped.length > 0;
  },
});
