import { defineMethod } from '../define-method.ts';

/**
 * Makes blocks only when a call asks for one.
 * @returns true
 */
export const miner_stop = defineMethod({
  kind: 'dev',
  handler: async ({ sequencer, cause }) => {
    await sequencer.setMode(cause, { kind: 'manual' });
    return true;
  },
});
