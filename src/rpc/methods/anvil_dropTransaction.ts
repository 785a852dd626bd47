import { hex } from '../codec/hex.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Removes a waiting transaction from the mempool, by its hash. A pre-confirmed transaction has already left the mempool.
 * @returns the hash, or null when it isn't waiting; whether it was as Hardhat
 */
export const anvil_dropTransaction = defineMethod({
  kind: 'dev',
  params: [hash32],
  handler: async ({ controls, shapes, cause }, hash) => {
    const dropped = await controls.drop(cause, (pool) =>
      [pool.get(hash)].filter((found) => found !== undefined),
    );
    const found = dropped.length > 0;
    return shapes.pick(found ? hex(hash) : null, found);
  },
});
