import { andThen } from '../../state/view.ts';
import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sets the address that receives the tips, from the next block on.
 * @returns null; true as Hardhat
 */
export const anvil_setCoinbase = defineMethod({
  kind: 'dev',
  params: [address],
  handler: ({ sequencer, shapes, cause }, coinbase) =>
    andThen(sequencer.configure(cause, { coinbase }), () => shapes.done),
});
