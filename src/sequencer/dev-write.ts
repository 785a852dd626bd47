import { Overlay } from '../state/overlay.ts';
import type { Awaitable, StateView, StateWrites } from '../state/view.ts';

/** Changes state as no transaction could (setBalance and its like). */
export type DevWrite = (state: Overlay) => Awaitable<void>;

export async function writesOf(write: DevWrite, state: StateView): Promise<StateWrites> {
  const overlay = new Overlay(state);
  await write(overlay);
  return overlay.writes();
}
