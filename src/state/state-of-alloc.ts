import type { OnProgress } from '../progress.ts';
import { EMPTY_ROOT } from './account.ts';
import { type GenesisAlloc, genesisWrites } from './genesis.ts';
import { MemorySource } from './node-cache.ts';
import { TrieState } from './trie-state.ts';

/** Progress messages while a state is built. */
const TASKS = { tries: 'Making the state', hashes: 'Computing the state root' } as const;

/** Makes a state with exactly these accounts. */
export function stateOfAlloc(alloc: GenesisAlloc, onProgress?: OnProgress): TrieState {
  const state = TrieState.at(new MemorySource(), EMPTY_ROOT).fold(genesisWrites(alloc));
  const total = alloc.size;
  if (onProgress)
    state.foldNow((part, share) =>
      onProgress({ task: TASKS[part], done: Math.round(share * total), total, unit: 'accounts' }),
    );
  return state;
}
