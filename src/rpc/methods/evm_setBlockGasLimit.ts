import { invalid, mapped } from '../codec/codec.ts';
import { amount64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

const positive = mapped(amount64, (gas, path) => (gas > 0n ? gas : invalid(path, 'more than 0 gas', '0x0')));

/**
 * Sets the gas limit of the next block and those after it.
 * @returns true
 */
export const evm_setBlockGasLimit = defineMethod({
  kind: 'dev',
  params: [positive],
  handler: async ({ sequencer, cause }, gasLimit) => {
    await sequencer.configure(cause, { gasLimit });
    return true;
  },
});
