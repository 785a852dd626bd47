import { defineMethod } from '../define-method.ts';

/**
 * Always returns `false`: the node makes its own chain, so there is nothing to sync.
 * @returns false
 */
export const eth_syncing = defineMethod({
  kind: 'read',
  handler: () => false,
});
