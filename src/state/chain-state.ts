import type { StateSource, Unstored } from './node-cache.ts';
import type { StateView, StateWrites } from './view.ts';

/** A state that blocks are built on: a value under a root, onto which writes are folded. */
export interface ChainState extends StateView {
  /** 32 bytes */
  readonly root: Uint8Array;
  /** Nodes of its tries that are in memory. */
  readonly heldNodes: number;
  /** The state after the writes. Slots of accounts that don't exist are dropped. */
  fold(writes: StateWrites): ChainState;
  /** All that must be stored for the state to be found at its root. */
  unstored(): Unstored;
  /** The same state when what it had to store is where `source` reads, or on its way there. */
  settled(source: StateSource): ChainState;
}
