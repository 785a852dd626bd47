import { checkTime } from '../../sequencer/chain-time.ts';
import { amount64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Sets the number of seconds between the timestamps of each later block and its parent. The parameter is in seconds; with `--compat
 * hardhat` in milliseconds, as viem sends it in its Hardhat mode.
 * @returns null; true as Hardhat
 * @throws timestampTooHigh
 */
export const anvil_setBlockTimestampInterval = defineMethod({
  kind: 'dev',
  params: [amount64],
  handler: async ({ controls, shapes, cause }, interval) => {
    const seconds = shapes.pick(interval, interval / 1000n);
    checkTime(seconds);
    await controls.changeTime(cause, (settings) => settings.setTimestampInterval(seconds));
    return shapes.done;
  },
});
