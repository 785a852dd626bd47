import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sets the address that gets the tips from the next block on.
 * @returns null; true as Hardhat
 */
export const anvil_setCoinbase = defineMethod({
  kind: 'dev',
  params: [address],
  handler: async ({ sequencer, shapes, cause }, coinbase) => {
    await sequencer.configure(cause, { coinbase });
    return shapes.done;
  },
});
