import { amount } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Restores the chain to a snapshot, and removes this snapshot and all later ones. Returns whether the snapshot exists.
 * @returns true or false
 */
export const evm_revert = defineMethod({
  kind: 'dev',
  params: [amount],
  handler: ({ history, cause }, id) => history.revert(cause, id),
});
