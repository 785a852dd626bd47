import type { Chain } from '../chain/chain.ts';
import type { BlockStore } from '../chain/store/block-store.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../options/options.ts';
import { TIME_OFFSET } from '../sequencer/chain-time.ts';

/**
 * Chain time minus the clock's time at the start, in milliseconds. Chain time begins with the genesis timestamp if the options set one. A
 * reopened chain, or the chain of a state file, continues at its own time, but not before its head.
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
    // A block that was sealed early is ahead of chain time by less than a block time.
    const ahead = 'blockTime' in config.mining ? config.mining.blockTime : 0;
    return fromHead > stored + ahead ? fromHead : stored;
  }
  const isBehind = config.timestamp !== undefined || (fromFile && fromHead > 0);
  const offset = isBehind ? fromHead : 0;
  await store.meta.put(TIME_OFFSET, offset);
  return offset;
}
