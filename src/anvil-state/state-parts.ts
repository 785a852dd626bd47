import {
  CODE_KEY,
  type EncodedEntries,
  EntriesWriter,
  NODE_KEY,
  PREIMAGE_KEY,
} from '../state/encoded-entries.ts';
import { latin1Key } from '../state/hex-key.ts';
import type { TrieState } from '../state/trie-state.ts';

const KINDS = { node: NODE_KEY, code: CODE_KEY, preimage: PREIMAGE_KEY } as const;

/** Collects the trie nodes, code and preimages of states, as they are stored. */
export class StateParts {
  readonly #known = new Set<string>();
  readonly #writer = new EntriesWriter();

  /** Adds a part of a state, once. */
  add(kind: keyof typeof KINDS, hash: Uint8Array, bytes: Uint8Array): void {
    const name = kind + latin1Key(hash);
    if (this.#known.has(name)) return;
    this.#known.add(name);
    this.#writer.add(KINDS[kind], hash, bytes);
  }

  /** @param state a state in memory, of which nothing is stored yet. What it shares with others is added again. */
  addState(state: TrieState): void {
    this.#writer.addAll(state.unstored().encoded!);
  }

  /** All that was added. Nothing may be added afterwards. */
  get entries(): EncodedEntries {
    return this.#writer.entries;
  }
}
