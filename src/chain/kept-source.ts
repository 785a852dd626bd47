import type { DevnetError } from '../errors.ts';
import type { StateSource } from '../state/node-cache.ts';
import type { LoadedNode } from '../state/trie-node.ts';

/** A source of one state that may be removed while it is read: what is missing then isn't damage. */
export class KeptSource implements StateSource {
  readonly #source: Required<StateSource>;
  readonly #removed: () => DevnetError | undefined;

  /** @param removed the error for whoever reads a state that was removed; asked when something is missing */
  constructor(source: Required<StateSource>, removed: () => DevnetError | undefined) {
    this.#source = source;
    this.#removed = removed;
  }

  getNode(hash: Uint8Array): Uint8Array | undefined {
    return this.#source.getNode(hash) ?? this.#missing();
  }

  getDecoded(hash: Uint8Array): LoadedNode | undefined {
    return this.#source.getDecoded(hash) ?? this.#missing();
  }

  getCode(hash: Uint8Array): Uint8Array | undefined {
    return this.#source.getCode(hash) ?? this.#missing();
  }

  #missing(): undefined {
    const error = this.#removed();
    if (error) throw error;
  }
}
