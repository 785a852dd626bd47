import type { MiningMode } from '../../sequencer/mining/mode.ts';
import { boolean } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Switches automine on or off. With automine, each transaction is sealed in a block as soon as it is sent. `true` ends interval mining, as
 * in anvil; with `--compat hardhat` interval mining goes on. `false` doesn't end interval mining. When automine is switched on, the
 * transactions that are waiting are sealed at once, as many as fit into one block; with `--compat hardhat` they are sealed in the block of
 * the next transaction that is sent.
 * @returns null; true as Hardhat
 */
export const evm_setAutomine = defineMethod({
  kind: 'dev',
  params: [boolean],
  handler: async ({ sequencer, shapes, cause }, on) => {
    const { mode } = sequencer;
    const set = (next: MiningMode) =>
      sequencer.setMode(cause, next, { sealsWaiting: shapes.pick(true, false) });
    if (mode.kind === 'mixed' && !on) await set({ ...mode, kind: 'interval' });
    else if (mode.kind === 'interval' && on)
      await set(shapes.pick({ kind: 'automine' }, { ...mode, kind: 'mixed' }));
    else if (mode.kind === 'automine' && !on) await set({ kind: 'manual' });
    else if (mode.kind === 'manual' && on) await set({ kind: 'automine' });
    return shapes.done;
  },
});
