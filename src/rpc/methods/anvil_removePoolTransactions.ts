import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Removes all waiting transactions of a sender from the mempool.
 * @returns null; true as Hardhat
 */
export const anvil_removePoolTransactions = defineMethod({
  kind: 'dev',
  params: [address],
  handler: async ({ controls, shapes, cause }, sender) => {
    await controls.drop(cause, (pool) => pool.ofSender(sender));
    return shapes.done;
  },
});
