import { DevnetError } from '../../errors.ts';
import { optional } from '../codec/codec.ts';
import { milliseconds } from '../codec/duration.ts';
import type { RpcContext } from '../context.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Moves the clock of `--manual-clock` on by the given number of milliseconds: by default by one flashblock interval, or to the next block
 * if there are no flashblocks. Everything that falls due in this time is done before the method returns the new time in milliseconds.
 * @returns a number
 */
export const devnet_tick = defineMethod({
  kind: 'dev',
  // A recording has the clock ticks that this call leads to.
  recorded: false,
  params: [optional(milliseconds)],
  handler: async ({ manualClock, sequencer }, ms) => {
    if (!manualClock)
      throw new DevnetError('server', { reason: 'the clock runs by itself; --manual-clock stops it' });
    await manualClock.advance(ms ?? ownStep(sequencer, manualClock.now()));
    return manualClock.now();
  },
});

/** Milliseconds. If each block draws its own time from a range, the time to the next block is known only from its due time. */
function ownStep({ mode, sealDue }: RpcContext['sequencer'], now: number): number {
  if (!('blockTime' in mode)) return 0;
  if (mode.flashblockInterval > 0) return mode.flashblockInterval;
  // devnet_holdFlashblocks may have delayed the block that was due.
  return sealDue !== undefined && sealDue > now ? sealDue - now : mode.blockTime;
}
