import { andThen } from '../../state/view.ts';
import { wordOf } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sets the next block's prevRandao (EIP-4399).
 * @returns null; true as Hardhat
 * @throws noPrevRandao
 */
export const anvil_setNextBlockPrevRandao = defineMethod({
  kind: 'dev',
  params: [wordOf],
  handler: ({ sequencer, shapes, cause }, prevRandao) =>
    andThen(sequencer.setNext(cause, { prevRandao }), () => shapes.done),
});
