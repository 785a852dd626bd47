import { defineMethod } from '../define-method.ts';

/**
 * Always returns an empty list. In geth these are invalid blocks from other nodes; devnet takes no blocks from other nodes.
 * @returns an empty list
 * @geth geth keeps the last ten invalid blocks
 */
export const debug_getBadBlocks = defineMethod({
  kind: 'read',
  handler: () => [],
});
