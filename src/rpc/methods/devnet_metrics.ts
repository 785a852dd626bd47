import { optional } from '../codec/codec.ts';
import { boolean } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns counts and times, in milliseconds, of the sequencer's work. With `true`, resets them after they are read.
 * @returns an object: counts and milliseconds
 */
export const devnet_metrics = defineMethod({
  kind: 'read',
  live: true,
  params: [optional(boolean)],
  handler: ({ sequencer }, reset) => {
    const report = sequencer.metrics.report();
    if (reset) sequencer.metrics.reset();
    return report;
  },
});
