import { defineMethod } from '../define-method.ts';

/** Blocks on demand only. */
export const miner_stop = defineMethod({
  name: 'miner_stop',
  kind: 'dev',
  params: [],
  handler: async ({ sequencer, cause }) => {
    await sequencer.setMode(cause, { kind: 'manual' });
    return true;
  },
});
