import { EMPTY_BYTES } from './account.ts';
import type { StateView } from './view.ts';

/** A state without accounts: what a genesis is written over. */
export const EMPTY_STATE: StateView = {
  getAccount: () => undefined,
  getCode: () => EMPTY_BYTES,
  getStorage: () => EMPTY_BYTES,
};
