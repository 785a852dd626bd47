import { amount } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sets the lowest fee cap, in wei per gas, that a transaction needs to enter the mempool.
 * @returns null; true as Hardhat
 */
export const anvil_setMinGasPrice = defineMethod({
  kind: 'dev',
  params: [amount],
  handler: ({ sequencer, shapes }, wei) => {
    sequencer.setMinGasPrice(wei);
    return shapes.done;
  },
});
