import { count } from '../codec/duration.ts';
import { defineMethod } from '../define-method.ts';

/** The next so many slots pass without a flashblock. What waits is in the one after, or in the next block. */
export const devnet_skipFlashblocks = defineMethod({
  name: 'devnet_skipFlashblocks',
  kind: 'dev',
  params: [count],
  handler: ({ sequencer }, slots) => {
    sequencer.faults.skipFlashblocks(slots);
    return true;
  },
});
