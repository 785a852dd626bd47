import type { RemoteState } from '../state/remote-state.ts';
import type { Awaitable } from '../state/view.ts';

/** The fork block of another chain: its state, and the hashes of the blocks before it. */
export interface ForkOrigin {
  readonly state: RemoteState;
  /** state root of the forked chain's genesis block; covers only the differences from the other chain, such as dev accounts */
  readonly root: Uint8Array;
  /** Hash of a block before the genesis block. */
  hashOf(number: bigint): Awaitable<Uint8Array | undefined>;
}
