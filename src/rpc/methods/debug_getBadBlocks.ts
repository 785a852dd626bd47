import { defineMethod } from '../define-method.ts';

/**
 * Always empty. In geth these are the invalid blocks that other nodes sent; devnet takes no blocks from others.
 * @returns an empty list
 * @geth geth keeps the last ten that it was given
 */
export const debug_getBadBlocks = defineMethod({
  kind: 'read',
  handler: () => [],
});
