import { DevnetError } from '../../errors.ts';
import { hex } from '../codec/hex.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Removes a waiting transaction like `anvil_dropTransaction`, but answers as Hardhat does: whether the transaction was there, or an error
 * if it is already mined. It is a separate method because hardhat-network-helpers rejects anvil's answer, the hash.
 * @returns true or false
 */
export const hardhat_dropTransaction = defineMethod({
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
