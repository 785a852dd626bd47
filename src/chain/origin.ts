import type { RemoteState } from '../state/remote-state.ts';
import type { Awaitable } from '../state/view.ts';

/** Another chain at one of its blocks: what lies before the genesis block of a forked chain, and under its state. */
export interface Origin {
  readonly state: RemoteState;
  /** of the state that the genesis block was made with, which differs from the other chain's by the dev accounts */
  readonly root: Uint8Array;
  /** Hash of a block before the genesis block. */
  hashOf(number: bigint): Awaitable<Uint8Array | undefined>;
}
