import { defineMethod } from '../define-method.ts';

/**
 * Stops making blocks until a call asks for one.
 * @returns true
 * @geth geth has no such method since version 1.14; before that it stopped mining
 */
export const miner_stop = defineMethod({
  kind: 'dev',
  handler: async ({ sequencer, cause }) => {
    await sequencer.setMode(cause, { kind: 'manual' });
    return true;
  },
});
