import { checkTime } from '../../sequencer/chain-time.ts';
import { amount64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sets chain time, in seconds since the Unix epoch. Returns the number of seconds by which that moved chain time.
 * @returns a number
 * @throws timestampTooHigh
 */
export const anvil_setTime = defineMethod({
  kind: 'dev',
  params: [amount64],
  handler: ({ controls, cause }, seconds) =>
    controls.changeTime(cause, (settings) => {
      const before = Math.floor(settings.time.now() / 1000);
      checkTime(seconds);
      settings.moveTime((time) => time.setAt(Number(seconds) * 1000));
      return Number(seconds) - before;
    }),
});
