import { Overlay } from '../state/overlay.ts';
import type { Awaitable, StateView, StateWrites } from '../state/view.ts';

/** A direct change of state, without a transaction, as `anvil_setBalance` or `hardhat_setStorageAt` make it. */
export type DevWrite = (state: Overlay) => Awaitable<void>;

/** Runs a dev write on an overlay over `state`, which stays unchanged. @returns what it wrote */
export async function writesOf(write: DevWrite, state: StateView): Promise<StateWrites> {
  const overlay = new Overlay(state);
  await write(overlay);
  return overlay.writes();
}
