import { string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sets the URL of the node that this forked chain reads from. It must be a node of the same chain. If it doesn't answer, the error says why
 * (`forkFailed`), and the old URL stays.
 * @returns null; true as Hardhat
 * @throws server
 */
export const anvil_setRpcUrl = defineMethod({
  kind: 'dev',
  params: [string],
  handler: async (context, url) => {
    await context.redirectFork(url);
    return context.shapes.done;
  },
});
