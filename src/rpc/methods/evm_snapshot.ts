import { quantity as toHex } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/** Notes where the chain stands. Answers an id for `evm_revert`; ids only grow, and end with the process (SPEC 6). */
export const evm_snapshot = defineMethod({
  name: 'evm_snapshot',
  params: [],
  handler: async ({ history, cause }) => toHex(await history.snapshot(cause)),
});
