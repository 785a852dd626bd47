import { optional } from '../codec/codec.ts';
import { boolean } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * The sequencer's timing in milliseconds. `true` resets the counts after the answer.
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
