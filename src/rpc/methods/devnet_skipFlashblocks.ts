import { count } from '../codec/duration.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Skips the given number of flashblocks. Waiting transactions are included in the flashblock after them, or in the next block.
 * @returns true
 */
export const devnet_skipFlashblocks = defineMethod({
  kind: 'dev',
  params: [count],
  handler: ({ sequencer }, slots) => {
    sequencer.faults.skipFlashblocks(slots);
    return true;
  },
});
