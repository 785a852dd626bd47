import { DevnetError } from '../../errors.ts';
import { hex } from '../codec/hex.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * As `anvil_dropTransaction`, but with Hardhat's answers: whether the transaction was there, and an error if it is
 * mined. It is a method of its own because hardhat-network-helpers refuses anvil's answer, the hash.
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
