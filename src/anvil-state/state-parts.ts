import type { EncodedEntries } from '../state/encoded-entries.ts';
import type { TrieState } from '../state/trie-state.ts';

type Entry = readonly [hash: Uint8Array, bytes: Uint8Array];

/** Collects the trie nodes, code and preimages of states, each once. */
export class StateParts {
  readonly #known = new Set<string>();
  readonly nodes: Entry[] = [];
  readonly code: Entry[] = [];
  readonly preimages: Entry[] = [];
  /** further nodes, code and preimages, in the encoding of the store */
  readonly encoded: EncodedEntries[] = [];

  add(kind: 'nodes' | 'code' | 'preimages', [hash, bytes]: Entry): void {
    const name = kind + Buffer.from(hash).toString('latin1');
    if (this.#known.has(name)) return;
    this.#known.add(name);
    this[kind].push([hash, bytes]);
  }

  /** @param state a state in memory, of which nothing is stored yet */
  addState(state: TrieState): void {
    const unstored = state.unstored();
    if (unstored.encoded) {
      this.encoded.push(unstored.encoded);
      return;
    }
    for (const kind of ['nodes', 'code', 'preimages'] as const)
      for (const entry of unstored[kind]) this.add(kind, entry);
  }
}
