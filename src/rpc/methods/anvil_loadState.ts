import { data } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { loadedAccounts, parseDump } from '../state-dump.ts';

/**
 * Puts the accounts of a dump in anvil's format into the chain's state. A dev write (SPEC 3). Chain time goes on from
 * the dump's where that is later; blocks and transactions of the dump are not taken over.
 */
export const anvil_loadState = defineMethod({
  name: 'anvil_loadState',
  params: [data],
  handler: async ({ controls, sequencer }, bytes) => {
    const state = await parseDump(bytes);
    await sequencer.patch(loadedAccounts(state));
    const { block } = state;
    if (block)
      await controls.changeTime((settings) =>
        settings.moveTime((time) => {
          const ms = Number(block.timestamp) * 1000;
          if (ms > time.now()) time.setAt(ms);
        }),
      );
    return true;
  },
});
