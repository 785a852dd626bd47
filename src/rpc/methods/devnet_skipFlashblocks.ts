import { count } from '../codec/duration.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Leaves out the next flashblocks. Waiting transactions go into the one after them, or into the next block.
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
