import { withDefault } from '../codec/codec.ts';
import { count } from '../codec/duration.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Leaves out the next messages, 1 by default, on the flashblock stream only: the node itself goes on as usual.
 * @returns true
 */
export const devnet_gapFlashblock = defineMethod({
  kind: 'dev',
  // It changes what is sent to the readers of the stream, not the chain.
  recorded: false,
  params: [withDefault(count, 1)],
  handler: ({ sequencer }, messages) => {
    sequencer.faults.gap(messages);
    return true;
  },
});
