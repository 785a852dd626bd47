import type { RemoteState } from '../state/remote-state.ts';
import type { Awaitable } from '../state/view.ts';

/** The block of another chain that a forked chain is based on: state and block hashes from before the fork. */
export interface ForkOrigin {
  readonly state: RemoteState;
  /** state root of the fork's genesis block; differs from the other chain's by the dev accounts */
  readonly root: Uint8Array;
  /** Hash of a block before the genesis block. */
  hashOf(number: bigint): Awaitable<Uint8Array | undefined>;
}
