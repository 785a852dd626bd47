import { slot } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sets the next block's prevRandao (EIP-4399).
 * @returns null; true as Hardhat
 */
export const anvil_setNextBlockPrevRandao = defineMethod({
  kind: 'dev',
  params: [slot],
  handler: async ({ sequencer, shapes, cause }, prevRandao) => {
    await sequencer.setNext(cause, { prevRandao });
    return shapes.done;
  },
});
