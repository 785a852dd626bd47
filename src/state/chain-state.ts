import type { StateSource, Unstored } from './node-cache.ts';
import type { StateView, StateWrites } from './view.ts';

/** A state that blocks are built on. Immutable: it has one root, and `fold` returns a new state. */
export interface ChainState extends StateView {
  /** 32 bytes */
  readonly root: Uint8Array;
  /** Number of trie nodes in memory. */
  readonly heldNodes: number;
  /** The state after the writes. Slots of accounts that don't exist are dropped. */
  fold(writes: StateWrites): ChainState;
  /** All that must be stored before the state can be opened at its root. */
  unstored(): Unstored;
  /** The same state with its nodes marked as stored, once the result of `unstored` is on its way to `source`. */
  settled(source: StateSource): ChainState;
}
