import { EMPTY_ROOT } from '../../src/state/account.ts';
import { EMPTY_STATE } from '../../src/state/empty-state.ts';
import { ForkedState } from '../../src/state/forked-state.ts';
import { CachedSource, MemorySource } from '../../src/state/node-cache.ts';
import { Overlay } from '../../src/state/overlay.ts';
import { RemoteState } from '../../src/state/remote-state.ts';
import { TrieState } from '../../src/state/trie-state.ts';
import type { StateView, StateWrites } from '../../src/state/view.ts';
import { stateViewContract } from './view-contract.ts';

function overlaid(view: StateView, writes: StateWrites): StateView {
  const overlay = new Overlay(view);
  overlay.apply(writes);
  return overlay;
}

/** Answers with promises, as a forked chain does. */
function remote(view: StateView): StateView {
  return {
    getAccount: async (address) => view.getAccount(address),
    getCode: async (address) => view.getCode(address),
    getStorage: async (address, slot) => view.getStorage(address, slot),
  };
}

stateViewContract('overlay over nothing', { empty: () => EMPTY_STATE, fold: overlaid });
stateViewContract('overlay over promises', {
  empty: () => EMPTY_STATE,
  fold: (view, writes) => remote(overlaid(view, writes)),
});
stateViewContract('overlay over a trie state', {
  empty: () => new Overlay(TrieState.at(new MemorySource(), EMPTY_ROOT)),
  fold: (view, writes) => {
    const under = view instanceof Overlay ? view.base : view;
    return new Overlay((under as TrieState).fold(writes));
  },
});
stateViewContract('trie state in memory', {
  empty: () => TrieState.at(new MemorySource(), EMPTY_ROOT),
  fold: (view, writes) => (view as TrieState).fold(writes),
});

/** A chain without accounts, as one that is forked answers. */
const nowhere = new RemoteState({
  reads: {
    account: async () => ({ nonce: 0n, balance: 0n, code: new Uint8Array() }),
    storage: async () => new Uint8Array(),
  },
});
stateViewContract('forked state', {
  empty: () => new ForkedState(TrieState.at(new MemorySource(), EMPTY_ROOT), nowhere),
  fold: (view, writes) => (view as ForkedState).fold(writes),
});

const sources = new WeakMap<StateView, [CachedSource, MemorySource]>();
stateViewContract('trie state stored and reopened behind a small cache', {
  empty: () => {
    const memory = new MemorySource();
    const cached = new CachedSource({ maxNodes: 4, maxCodeBytes: 16 }, memory);
    const view = TrieState.at(cached, EMPTY_ROOT);
    sources.set(view, [cached, memory]);
    return view;
  },
  fold: (view, writes) => {
    const [cached, memory] = sources.get(view)!;
    const folded = (view as TrieState).fold(writes);
    memory.store(folded.unstored());
    const reopened = TrieState.at(cached, folded.root);
    sources.set(reopened, [cached, memory]);
    return reopened;
  },
});
