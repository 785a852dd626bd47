import { andThen } from '../../state/view.ts';
import { amount64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sets the next block's timestamp in seconds since the Unix epoch. Chain time continues from there.
 * @returns null; the timestamp as a decimal text as Hardhat
 * @throws timestampTooLow, timestampTooHigh
 */
export const evm_setNextBlockTimestamp = defineMethod({
  kind: 'dev',
  params: [amount64],
  handler: ({ sequencer, shapes, cause }, timestamp) =>
    andThen(sequencer.setNext(cause, { timestamp }), () => shapes.pick(null, timestamp.toString())),
});
