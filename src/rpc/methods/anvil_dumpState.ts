import { DevnetError } from '../../errors.ts';
import { TrieState } from '../../state/trie-state.ts';
import { defineMethod } from '../define-method.ts';
import { hex } from '../hex.ts';
import { compressDump, dumpState } from '../state-dump.ts';

/** The accounts of the newest block in anvil's format: gzip over JSON. Equal states give equal bytes. */
export const anvil_dumpState = defineMethod({
  name: 'anvil_dumpState',
  params: [],
  handler: async ({ chain, preimageOf }) => {
    const { state } = chain.latest;
    if (!(state instanceof TrieState))
      throw new DevnetError('server', { reason: 'a forked state is not dumped' });
    return hex(await compressDump(dumpState(state, preimageOf)));
  },
});
