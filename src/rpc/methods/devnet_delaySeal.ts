import { milliseconds } from '../codec/duration.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Seals the open block the given number of milliseconds late; the blocks after it are not delayed.
 * @returns true
 */
export const devnet_delaySeal = defineMethod({
  kind: 'dev',
  params: [milliseconds],
  handler: ({ sequencer }, ms) => {
    sequencer.faults.delaySeal(ms);
    return true;
  },
});
