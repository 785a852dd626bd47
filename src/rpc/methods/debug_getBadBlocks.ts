import { defineMethod } from '../define-method.ts';

/**
 * Always empty: the invalid blocks that were received from other nodes, from which this node takes none.
 * @returns an empty list
 * @geth geth keeps the last ten that it was given
 */
export const debug_getBadBlocks = defineMethod({
  kind: 'read',
  handler: () => [],
});
