import { andThen } from '../../state/view.ts';
import { amount } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sets the next block's base fee in wei per gas. The base fees of later blocks follow from it (EIP-1559).
 * @returns null; true as Hardhat
 * @throws noBaseFee
 */
export const anvil_setNextBlockBaseFeePerGas = defineMethod({
  kind: 'dev',
  params: [amount],
  handler: ({ sequencer, shapes, cause }, baseFeePerGas) =>
    andThen(sequencer.setNext(cause, { baseFeePerGas }), () => shapes.done),
});
