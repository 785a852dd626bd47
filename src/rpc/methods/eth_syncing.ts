import { defineMethod } from '../define-method.ts';

/**
 * Always `false`: a node that makes its own chain has nothing to catch up with.
 * @returns false
 */
export const eth_syncing = defineMethod({
  kind: 'read',
  handler: () => false,
});
