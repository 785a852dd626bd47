import type { StateSource, Unstored } from './node-cache.ts';
import type { StateView, StateWrites } from './view.ts';

/** A state on which blocks can be built. Immutable: it has one root, and `fold` returns a new state. */
export interface ChainState extends StateView {
  /** 32 bytes */
  readonly root: Uint8Array;
  /** Number of trie nodes in memory. */
  readonly heldNodes: number;
  /** Returns the state after the writes. Slots of accounts that don't exist are dropped. */
  fold(writes: StateWrites): ChainState;
  /** All entries that must be stored before the state can be opened at its root. */
  unstored(): Unstored;
  /** The same state with its nodes marked as stored. The caller must first have begun to store the result of `unstored` in `source`. */
  asStored(source: StateSource): ChainState;
}
