import { hash32 } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';

/**
 * anvil_dropTransaction, answered as Hardhat does: whether it was there. A name of its own because hardhat-network-helpers
 * refuses anvil's answer, the hash.
 */
export const hardhat_dropTransaction = defineMethod({
  name: 'hardhat_dropTransaction',
  params: [hash32],
  handler: async ({ controls }, hash) => {
    const dropped = await controls.drop((pool) => [pool.get(hash)].filter((found) => found !== undefined));
    return dropped.length > 0;
  },
});
