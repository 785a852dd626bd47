import { equalsBytes } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import type { StateSource } from '../state/node-cache.ts';
import type { LoadedNode } from '../state/trie-node.ts';
import type { Block } from './block.ts';
import type { BlockStore } from './store/block-store.ts';

/**
 * The source of one state that may never have been stored, or may be pruned while it is read. Missing data is then
 * reported by its cause, not as damage.
 */
export class KeptSource implements StateSource {
  readonly #source: Required<StateSource>;
  readonly #removed: () => DevnetError | undefined;

  /** @param removed returns the error for readers of a state that isn't there; called when something is missing */
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

/** The source of a block's state, for chains that prune blocks or that began without the state of some blocks. */
export function keptSource(
  source: Required<StateSource>,
  { header: { number }, hash }: Pick<Block, 'header' | 'hash'>,
  store: Pick<BlockStore, 'first' | 'states' | 'genesis' | 'hashOf'>,
): KeptSource {
  return new KeptSource(source, () => {
    const canonical = number >= store.first || number === store.genesis ? store.hashOf(number) : undefined;
    if (canonical && equalsBytes(canonical, hash)) {
      const isAvailable = number >= store.states || number === store.genesis;
      return isAvailable ? undefined : new DevnetError('stateUnknown', { number });
    }
    return new DevnetError('server', { reason: `block ${number} was pruned while its state was read` });
  });
}
