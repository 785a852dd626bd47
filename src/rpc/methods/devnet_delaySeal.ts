import { milliseconds } from '../codec/duration.ts';
import { defineMethod } from '../define-method.ts';

/** The block that is being built is sealed so many milliseconds after its time, once. */
export const devnet_delaySeal = defineMethod({
  name: 'devnet_delaySeal',
  kind: 'dev',
  params: [milliseconds],
  handler: ({ sequencer }, ms) => {
    sequencer.faults.delaySeal(ms);
    return true;
  },
});
