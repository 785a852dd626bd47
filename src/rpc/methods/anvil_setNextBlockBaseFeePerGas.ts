import { amount } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sets the next block's base fee, in wei per gas. Those of later blocks follow from it (EIP-1559).
 * @returns null; true as Hardhat
 */
export const anvil_setNextBlockBaseFeePerGas = defineMethod({
  kind: 'dev',
  params: [amount],
  handler: async ({ sequencer, shapes, cause }, baseFeePerGas) => {
    await sequencer.setNext(cause, { baseFeePerGas });
    return shapes.done;
  },
});
