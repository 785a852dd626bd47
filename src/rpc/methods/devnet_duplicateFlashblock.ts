import { invalid, optional } from '../codec/codec.ts';
import { uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sends a flashblock of the open block again on the flashblock stream: the one with the given index, by default the newest.
 * @returns true
 */
export const devnet_duplicateFlashblock = defineMethod({
  kind: 'dev',
  // It changes what the readers of the stream receive, not the chain.
  recorded: false,
  params: [optional(uint64)],
  handler: ({ sequencer }, index) => {
    const { published } = sequencer;
    const at = index === undefined ? published.length - 1 : Number(index);
    if (!published[at]) return invalid('params[0]', 'an index that was published', index?.toString());
    sequencer.faults.duplicate(at);
    return true;
  },
});
