import { withDefault } from '../codec/codec.ts';
import { count } from '../codec/duration.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Omits the next messages, 1 by default, from the flashblock stream. Nothing else changes: the node goes on as usual.
 * @returns true
 */
export const devnet_gapFlashblock = defineMethod({
  kind: 'dev',
  // It changes what the readers of the stream receive, not the chain.
  recorded: false,
  params: [withDefault(count, 1)],
  handler: ({ sequencer }, messages) => {
    sequencer.faults.gap(messages);
    return true;
  },
});
