import { count } from '../codec/duration.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Publishes no flashblock in the given number of flashblock intervals. Waiting transactions go into the flashblock
 * after them, or into the next block.
 */
export const devnet_skipFlashblocks = defineMethod({
  kind: 'dev',
  params: [count],
  handler: ({ sequencer }, slots) => {
    sequencer.faults.skipFlashblocks(slots);
    return true;
  },
});
