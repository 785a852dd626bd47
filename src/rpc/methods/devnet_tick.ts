import { DevnetError } from '../../errors.ts';
import { optional } from '../codec.ts';
import { milliseconds } from '../codec-duration.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Moves the clock of `--manual-clock` by so many milliseconds, one partial block by default; what falls due is done
 * before the answer, which is the new time in milliseconds.
 */
export const devnet_tick = defineMethod({
  name: 'devnet_tick',
  params: [optional(milliseconds)],
  handler: async ({ manualClock, sequencer }, ms) => {
    if (!manualClock)
      throw new DevnetError('server', { reason: 'the clock runs by itself; --manual-clock stops it' });
    const { mode } = sequencer;
    const interval = 'blockTime' in mode ? mode.flashblockInterval || mode.blockTime : 0;
    await manualClock.advance(ms ?? interval);
    return manualClock.now();
  },
});
