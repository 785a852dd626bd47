import { CachedSource, type StateSource } from '../state/node-cache.ts';
import { TrieState } from '../state/trie-state.ts';
import type { Block } from './block.ts';
import { keptSource } from './kept-source.ts';
import type { BlockStore } from './store/block-store.ts';

/**
 * Nodes of the newest state that are held in memory, at about 0.5 KB each. The rings of EIP-2935 and EIP-4788 have 22,000
 * when they are full.
 */
const MAX_HELD_NODES = 32_768;

/** The states of stored blocks, and what they are read from. */
export class BlockStates {
  readonly #store: BlockStore;
  readonly #pruned: boolean;
  #heldNodes = 0;
  readonly source: CachedSource;

  /** @param options.pruned states may be removed while they are read */
  constructor(options: { pruned: boolean }, deps: { store: BlockStore }) {
    this.#pruned = options.pruned;
    this.#store = deps.store;
    this.source = new CachedSource({}, deps.store);
  }

  /** What a state adds to the stored ones. */
  added(state: TrieState) {
    const { nodes, code, preimages } = state.unstored();
    const added = { stateRoot: state.root, nodes: [...nodes], code: [...code], preimages: [...preimages] };
    for (const [hash, bytes] of added.code) this.source.addCode(hash, bytes);
    return added;
  }

  /**
   * A stored state with the nodes that were added of late still in memory: the next blocks change many of them again.
   */
  held(block: Block, state: TrieState, added: number): TrieState {
    this.#heldNodes += added;
    // Most take the place of others, so they are counted now and then.
    if (this.#heldNodes > 2 * MAX_HELD_NODES) {
      this.#heldNodes = state.heldNodes;
      if (this.#heldNodes > MAX_HELD_NODES) {
        this.#heldNodes = 0;
        return this.at(block, state.root);
      }
    }
    return state.settled(this.#sourceOf(block));
  }

  /** The state that a block's view reads. */
  at(block: Block, root = this.#store.stateRootOf(block.header.number)): TrieState {
    return TrieState.at(this.#sourceOf(block), root ?? block.header.stateRoot);
  }

  #sourceOf(block: Block): StateSource {
    const known = !this.#pruned && block.header.number >= this.#store.states;
    return known ? this.source : keptSource(this.source, block, this.#store);
  }
}
