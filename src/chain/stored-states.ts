import type { ChainState } from '../state/chain-state.ts';
import { ForkedState } from '../state/forked-state.ts';
import { CachedSource, type StateSource } from '../state/node-cache.ts';
import { StorageRun } from '../state/storage-run.ts';
import { TrieState } from '../state/trie-state.ts';
import type { Block, TrieBlock } from './block.ts';
import type { EmptyBlock } from './empty-blocks.ts';
import { keptSource } from './kept-source.ts';
import type { Origin } from './origin.ts';
import type { BlockBatch, BlockStore, PatchBatch } from './store/block-store.ts';

/**
 * Nodes of the newest state that are held in memory, at about 0.5 KB each. The rings of EIP-2935 and EIP-4788 have 22,000
 * when they are full.
 */
const MAX_HELD_NODES = 32_768;

/** A block that is to be stored with others. */
export interface Prepared {
  readonly batch: BlockBatch & { readonly nodes: readonly unknown[] };
  /** to be built on, with the state that it adds */
  readonly block: TrieBlock;
}

/** The states of a chain's blocks: in the store, and those of a forked chain over another chain's. */
export class StoredStates {
  readonly #store: BlockStore;
  readonly #source: CachedSource;
  readonly #prunes: boolean;
  #heldNodes = 0;
  /** the chain that this one is forked from */
  origin: Origin | undefined;

  /** @param options.prunes old states are removed while they may be read */
  constructor(options: { prunes: boolean; origin: Origin | undefined }, deps: { store: BlockStore }) {
    this.#prunes = options.prunes;
    this.origin = options.origin;
    this.#store = deps.store;
    this.#source = new CachedSource({}, deps.store);
  }

  /** The state that a block's view reads. */
  at(block: Block, root = this.#store.stateRootOf(block.header.number)): ChainState {
    const own = TrieState.at(this.#sourceOf(block), root ?? block.header.stateRoot);
    return this.origin ? new ForkedState(own, this.origin.state) : own;
  }

  /** For writes to the storage of a stored state; none on a forked chain, whose storage is another chain's. */
  run(state: ChainState): StorageRun | undefined {
    return state instanceof TrieState ? new StorageRun(state) : undefined;
  }

  /** What a state adds to the stored ones. */
  added(state: ChainState): PatchBatch & { readonly nodes: readonly unknown[] } {
    const { nodes, code, preimages } = state.unstored();
    const added = { stateRoot: state.root, nodes: [...nodes], code: [...code], preimages: [...preimages] };
    for (const [hash, bytes] of added.code) this.#source.addCode(hash, bytes);
    return added;
  }

  /** A block whose state is held in memory, for it is about to be stored. */
  prepared(block: Block & { state: ChainState }): Prepared {
    const batch = { block, ...this.added(block.state) };
    return { batch, block: { ...block, state: block.state.settled(this.#source), sealed: true } };
  }

  /** An empty block likewise. */
  preparedEmpty({ block, state, nodes, preimages }: EmptyBlock): Prepared {
    const batch = { block, stateRoot: state.root, nodes, code: [], preimages };
    return { batch, block: { ...block, state, sealed: true } };
  }

  /**
   * A stored state with the nodes that were added of late still in memory: the next blocks change many of them again.
   * @param added how many nodes it added
   */
  held(block: Block, state: ChainState, added: number): ChainState {
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

  /** What a block's state is read from. */
  #sourceOf(block: Block): StateSource {
    const known = !this.#prunes && block.header.number >= this.#store.states;
    return known ? this.#source : keptSource(this.#source, block, this.#store);
  }
}
