import type { MiningMode } from './mode.ts';

/** Milliseconds: the same for all blocks, or from the first to the second, drawn for each. */
export type BlockTime = number | readonly [shortest: number, longest: number];

/** A mode with blocks at an interval; partial blocks where they are shorter than the longest block. */
export function intervalMode(time: BlockTime, flashblockInterval: number, automine = false): MiningMode {
  const [shortest, longest] = typeof time === 'number' ? [time, time] : time;
  return {
    kind: automine ? 'mixed' : 'interval',
    blockTime: shortest,
    ...(longest > shortest && { longestBlockTime: longest }),
    flashblockInterval: flashblockInterval < longest ? flashblockInterval : 0,
  };
}
