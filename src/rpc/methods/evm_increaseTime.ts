import { andThen } from '../../state/view.ts';
import { amount64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Moves chain time forward by a number of seconds. Returns the total number of seconds by which dev methods have moved it.
 * @returns a number; a decimal text as Hardhat
 * @throws timestampTooHigh
 */
export const evm_increaseTime = defineMethod({
  kind: 'dev',
  params: [amount64],
  handler: ({ controls, shapes, cause }, seconds) => {
    const moving = controls.changeTime(cause, (settings) => {
      settings.moveTime((time) => time.increase(seconds));
      return settings.time.moved;
    });
    return andThen(moving, (moved) => shapes.pick(moved, String(moved)));
  },
});
