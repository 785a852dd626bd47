import type { ChainState } from '../state/chain-state.ts';
import { ForkedState } from '../state/forked-state.ts';
import { CachedSource, type StateSource } from '../state/node-cache.ts';
import { TrieState } from '../state/trie-state.ts';
import type { Block, TrieBlock } from './block.ts';
import type { ForkOrigin } from './fork-origin.ts';
import { prunableSource } from './prunable-source.ts';
import type { Reservation } from './reservation.ts';
import type { BlockStore, PatchBatch, ReservedBatch, StoreBatch } from './store/block-store.ts';

/** Maximum number of the newest state's trie nodes in memory, 0.5 KB each. Full EIP-2935 and EIP-4788 buffers have 22,000. */
const MAX_HELD_NODES = 32_768;

/** A block, or the last one of a reservation, that will be stored together with others. */
export interface Prepared {
  readonly batch: (StoreBatch | ReservedBatch) & { readonly addedNodes: number };
  /** the block to build on, with the state that the batch adds */
  readonly block: TrieBlock;
}

/** The states of a chain's blocks, read from the store; on a forked chain, on top of the other chain's state. */
export class StoredStates {
  readonly #store: BlockStore;
  readonly #source: CachedSource;
  readonly #prunes: boolean;
  #heldNodes = 0;
  /** the chain that this one is forked from */
  origin: ForkOrigin | undefined;

  /** @param options.prunes whether old states are pruned, possibly while they are read */
  constructor(options: { prunes: boolean; origin: ForkOrigin | undefined }, deps: { store: BlockStore }) {
    this.#prunes = options.prunes;
    this.origin = options.origin;
    this.#store = deps.store;
    this.#source = new CachedSource({}, deps.store);
  }

  /** The state that a block's view reads. */
  at(block: Block, root = this.#store.stateRootOf(block.header.number, block.header)): ChainState {
    const own = TrieState.at(this.#sourceOf(block), root ?? block.header.stateRoot);
    return this.origin ? new ForkedState(own, this.origin.state) : own;
  }

  /** The entries of a state that must still be stored. */
  added(state: ChainState): PatchBatch & { readonly addedNodes: number } {
    const unstored = state.unstored();
    const stateRoot = state.root;
    // The nodes are in the core's memory, so they don't need to be cached here.
    if (unstored.encoded) return { stateRoot, ...unstored, addedNodes: 0 };
    const [nodes, code] = [[...unstored.nodes], [...unstored.code]];
    for (const [hash, bytes] of code) this.#source.addCode(hash, bytes);
    return { stateRoot, nodes, code, preimages: [...unstored.preimages], addedNodes: nodes.length };
  }

  /**
   * Prepares a block for storing; until it is stored, its state is read from memory.
   * @param reservation if the block is the last one of a reservation: the reservation, which is stored instead of the block
   */
  prepared(block: Block & { state: ChainState }, reservation?: Reservation): Prepared {
    const batch = { ...(reservation ? { reservation } : { block }), ...this.added(block.state) };
    // Only one more block is built on reserved ones, and it finds their many nodes in the core's memory.
    const staysInMemory = reservation && batch.encoded;
    if (!staysInMemory) for (const [hash, node] of batch.nodes) this.#source.addNode(hash, node);
    const state = staysInMemory ? block.state : block.state.asStored(this.#source);
    return {
      batch,
      block: {
        ...block,
        encodedHeader: undefined,
        storedItems: undefined,
        records: undefined,
        state,
        sealed: true,
      },
    };
  }

  /**
   * A stored state that keeps its recently added nodes in memory, since the next blocks change many of them again.
   * @param added number of nodes that the state added
   */
  held(block: Block, state: ChainState, added: number): ChainState {
    this.#heldNodes += added;
    // An upper bound: most new nodes replace others, so the exact number is counted only when the bound is exceeded.
    if (this.#heldNodes > 2 * MAX_HELD_NODES) {
      this.#heldNodes = state.heldNodes;
      if (this.#heldNodes > MAX_HELD_NODES) {
        this.#heldNodes = 0;
        return this.at(block, state.root);
      }
    }
    return state.asStored(this.#sourceOf(block));
  }

  /** The source from which a block's state is read. */
  #sourceOf(block: Block): StateSource {
    const isPermanent = !this.#prunes && block.header.number >= this.#store.states;
    return isPermanent ? this.#source : prunableSource(this.#source, block, this.#store);
  }
}
