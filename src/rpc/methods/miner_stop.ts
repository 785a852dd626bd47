import { defineMethod } from '../define-method.ts';

/** Blocks on demand only. */
export const miner_stop = defineMethod({
  name: 'miner_stop',
  params: [],
  handler: async ({ sequencer }) => {
    await sequencer.setMode({ kind: 'manual' });
    return true;
  },
});
