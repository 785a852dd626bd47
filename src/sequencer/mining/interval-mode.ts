import type { MiningMode } from './mode.ts';

/** Block time in milliseconds: one value for all blocks, or a range from which each block's time is drawn. */
export type Interval = number | readonly [shortest: number, longest: number];

/**
 * A mode that seals a block per interval. Flashblocks are on if their interval is shorter than the longest block time.
 * @param flashblockInterval milliseconds
 * @param automine seals a block for each sent transaction as well
 */
export function intervalMode(time: Interval, flashblockInterval: number, automine = false): MiningMode {
  const [shortest, longest] = typeof time === 'number' ? [time, time] : time;
  return {
    kind: automine ? 'mixed' : 'interval',
    blockTime: shortest,
    ...(longest > shortest && { longestBlockTime: longest }),
    flashblockInterval: flashblockInterval < longest ? flashblockInterval : 0,
  };
}
