import { Overlay } from '../state/overlay.ts';
import { type Awaitable, andThen, type StateView, type StateWrites } from '../state/view.ts';

/** A direct change of state, without a transaction, as `anvil_setBalance` or `hardhat_setStorageAt` make it. */
export type DevWrite = (state: Overlay) => Awaitable<void>;

/** Runs a dev write on an overlay over `state`, which stays unchanged. @returns what it wrote */
export function writesOf(write: DevWrite, state: StateView): Awaitable<StateWrites> {
  const overlay = new Overlay(state);
  return andThen(write(overlay), () => overlay.writes());
}
