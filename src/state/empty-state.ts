import { EMPTY_BYTES } from './account.ts';
import type { StateView } from './view.ts';

/** A state without accounts: the base of a genesis state. */
export const EMPTY_STATE: StateView = {
  getAccount: () => undefined,
  getCode: () => EMPTY_BYTES,
  getStorage: () => EMPTY_BYTES,
};
