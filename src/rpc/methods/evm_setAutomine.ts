import { boolean } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * With `true`, each transaction is sealed in a block as it is sent. `false` ends that; interval mining goes on.
 * @returns null; true as Hardhat
 */
export const evm_setAutomine = defineMethod({
  kind: 'dev',
  params: [boolean],
  handler: async ({ sequencer, shapes, cause }, on) => {
    const { mode } = sequencer;
    if (mode.kind === 'mixed' && !on) await sequencer.setMode(cause, { ...mode, kind: 'interval' });
    else if (mode.kind === 'interval' && on)
      await sequencer.setMode(cause, shapes.pick({ kind: 'automine' }, { ...mode, kind: 'mixed' }));
    else if (mode.kind === 'automine' && !on) await sequencer.setMode(cause, { kind: 'manual' });
    else if (mode.kind === 'manual' && on) await sequencer.setMode(cause, { kind: 'automine' });
    return shapes.done;
  },
});
