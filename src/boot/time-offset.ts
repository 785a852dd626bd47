import type { Chain } from '../chain/chain.ts';
import type { BlockStore } from '../chain/store/block-store.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../options/options.ts';
import { TIME_OFFSET } from '../sequencer/chain-time.ts';

/**
 * How far chain time is from the clock, in milliseconds. A genesis time that was asked for is where chain time begins; a
 * reopened chain, or that of a state file, goes on in the time that it had, and not behind its head.
 */
export async function timeOffset(
  config: Config,
  {
    chain,
    store,
    clock,
    fromFile,
  }: {
    chain: Chain;
    store: BlockStore;
    clock: Clock;
    fromFile: boolean;
  },
): Promise<number> {
  const head = Number(chain.latest.header.timestamp) * 1000;
  const fromHead = head - clock.now();
  // A manual clock begins at the head.
  if (config.manualClock) return fromHead;
  const stored = store.meta.get(TIME_OFFSET);
  if (typeof stored === 'number') {
    // A block that was sealed before its time is ahead by less than a block.
    const ahead = 'blockTime' in config.mining ? config.mining.blockTime : 0;
    return fromHead > stored + ahead ? fromHead : stored;
  }
  const isBehind = config.timestamp !== undefined || (fromFile && fromHead > 0);
  const offset = isBehind ? fromHead : 0;
  await store.meta.put(TIME_OFFSET, offset);
  return offset;
}
