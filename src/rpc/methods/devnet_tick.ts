import { DevnetError } from '../../errors.ts';
import { optional } from '../codec/codec.ts';
import { milliseconds } from '../codec/duration.ts';
import type { RpcContext } from '../context.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Moves the clock of `--manual-clock` on by the given number of milliseconds: by default one flashblock interval, or
 * up to the next block if there are no flashblocks. Does what falls due before it answers the new time in
 * milliseconds.
 * @returns a number
 */
export const devnet_tick = defineMethod({
  kind: 'dev',
  // A recording has the ticks that it causes instead.
  recorded: false,
  params: [optional(milliseconds)],
  handler: async ({ manualClock, sequencer }, ms) => {
    if (!manualClock)
      throw new DevnetError('server', { reason: 'the clock runs by itself; --manual-clock stops it' });
    await manualClock.advance(ms ?? ownStep(sequencer, manualClock.now()));
    return manualClock.now();
  },
});

/** Milliseconds. Where each block draws its own time from a range, only what is due next says how far that is. */
function ownStep({ mode, sealDue }: RpcContext['sequencer'], now: number): number {
  if (!('blockTime' in mode)) return 0;
  if (mode.flashblockInterval > 0) return mode.flashblockInterval;
  // What was due may be held (devnet_holdFlashblocks).
  return sealDue !== undefined && sealDue > now ? sealDue - now : mode.blockTime;
}
