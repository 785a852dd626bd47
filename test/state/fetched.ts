import type { StateView } from '../../src/state/view.ts';

/** The same state, as on a forked chain: each part of it has to be fetched. */
export const fetched = (state: StateView): StateView => ({
  getAccount: async (address) => state.getAccount(address),
  getCode: async (address) => state.getCode(address),
  getStorage: async (address, slot) => state.getStorage(address, slot),
});
