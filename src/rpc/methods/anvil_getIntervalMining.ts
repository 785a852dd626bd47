import { defineMethod } from '../define-method.ts';

/** The seconds between blocks; null without an interval. */
export const anvil_getIntervalMining = defineMethod({
  name: 'anvil_getIntervalMining',
  params: [],
  handler: ({ sequencer: { mode } }) => ('blockTime' in mode ? mode.blockTime / 1000 : null),
});
