import { defineMethod } from '../define-method.ts';

/**
 * Returns the time between blocks in seconds: the shortest and the longest if each block draws its own, null without interval mining.
 * @returns a number, `[shortest, longest]` or null
 */
export const anvil_getIntervalMining = defineMethod({
  kind: 'node',
  live: true,
  handler: ({ sequencer: { mode } }) => {
    if (!('blockTime' in mode)) return null;
    const { blockTime, longestBlockTime } = mode;
    return longestBlockTime === undefined ? blockTime / 1000 : [blockTime / 1000, longestBlockTime / 1000];
  },
});
