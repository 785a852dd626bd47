import { optional } from '../codec/codec.ts';
import { boolean } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** How well the sequencer keeps its time, in milliseconds; `true` starts counting anew after the answer. */
export const devnet_metrics = defineMethod({
  name: 'devnet_metrics',
  kind: 'read',
  live: true,
  params: [optional(boolean)],
  handler: ({ sequencer }, reset) => {
    const report = sequencer.metrics.report();
    if (reset) sequencer.metrics.reset();
    return report;
  },
});
