import { boolean } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';

/** true: a block per transaction. false: blocks on demand. */
export const evm_setAutomine = defineMethod({
  name: 'evm_setAutomine',
  params: [boolean],
  handler: async ({ sequencer }, on) => {
    await sequencer.setMode({ kind: on ? 'automine' : 'manual' });
    return null;
  },
});
