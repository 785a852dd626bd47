import { Overlay } from '../state/overlay.ts';
import { type Awaitable, andThen, type StateView, type StateWrites } from '../state/view.ts';

/** A direct change of the state, without a transaction, such as `anvil_setBalance` or `hardhat_setStorageAt`. */
export type DevWrite = (state: StateView) => Awaitable<StateWrites>;

/** A dev write that runs on an overlay over the state, which stays unchanged. */
export function onOverlay(write: (state: Overlay) => Awaitable<void>): DevWrite {
  return (state) => {
    const overlay = new Overlay(state);
    return andThen(write(overlay), () => overlay.writes());
  };
}
