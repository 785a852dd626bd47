import { defineMethod } from '../define-method.ts';

/** Blocks come again as they did when the node started; at once for each transaction where they came on demand. */
export const miner_start = defineMethod({
  name: 'miner_start',
  kind: 'dev',
  params: [],
  handler: async ({ sequencer, instance, cause }) => {
    await sequencer.setMode(cause, instance.mode.kind === 'manual' ? { kind: 'automine' } : instance.mode);
    return true;
  },
});
