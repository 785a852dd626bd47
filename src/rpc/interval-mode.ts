import type { MiningMode } from '../sequencer/mode.ts';

/** A mode with blocks every `blockTime` ms; partial blocks where they are shorter than the block. */
export function intervalMode(blockTime: number, flashblockInterval: number, automine = false): MiningMode {
  return {
    kind: automine ? 'mixed' : 'interval',
    blockTime,
    flashblockInterval: flashblockInterval < blockTime ? flashblockInterval : 0,
  };
}
