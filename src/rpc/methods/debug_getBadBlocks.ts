import { defineMethod } from '../define-method.ts';

/** The blocks of others that were refused: this chain takes none. */
export const debug_getBadBlocks = defineMethod({
  name: 'debug_getBadBlocks',
  kind: 'read',
  params: [],
  handler: () => [],
});
