import { defineMethod } from '../define-method.ts';

/**
 * Removes all waiting transactions from the mempool.
 * @returns null; true as Hardhat
 */
export const anvil_dropAllTransactions = defineMethod({
  kind: 'dev',
  handler: async ({ controls, shapes, cause }) => {
    await controls.drop(cause, (pool) => pool.snapshot().entries.map(({ transaction }) => transaction));
    return shapes.done;
  },
});
