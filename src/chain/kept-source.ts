import { equalsBytes } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import type { StateSource } from '../state/node-cache.ts';
import type { LoadedNode } from '../state/trie-node.ts';
import type { Block } from './block.ts';
import type { BlockStore } from './store/block-store.ts';

/** A source of one state that may be missing, or be removed while it is read: that isn't damage then. */
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

/** What the state of a block is read from, where blocks are pruned, or their states were never there. */
export function keptSource(
  source: Required<StateSource>,
  { header: { number }, hash }: Pick<Block, 'header' | 'hash'>,
  store: Pick<BlockStore, 'first' | 'states' | 'genesis' | 'hashOf'>,
): KeptSource {
  return new KeptSource(source, () => {
    const found = number >= store.first || number === store.genesis ? store.hashOf(number) : undefined;
    if (found && equalsBytes(found, hash)) {
      const known = number >= store.states || number === store.genesis;
      return known ? undefined : new DevnetError('stateUnknown', { number });
    }
    return new DevnetError('server', { reason: `block ${number} was pruned while its state was read` });
  });
}
