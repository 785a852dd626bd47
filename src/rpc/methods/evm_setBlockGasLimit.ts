import { andThen } from '../../state/view.ts';
import { invalid, mapped } from '../codec/codec.ts';
import { amount64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

const positive = mapped(amount64, (gas, path) => (gas > 0n ? gas : invalid(path, 'more than 0 gas', '0x0')));

/**
 * Sets the gas limit of the next block and of all later ones.
 * @returns true
 */
export const evm_setBlockGasLimit = defineMethod({
  kind: 'dev',
  params: [positive],
  handler: ({ sequencer, cause }, gasLimit) => andThen(sequencer.configure(cause, { gasLimit }), () => true),
});
