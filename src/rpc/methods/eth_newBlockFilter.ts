import { defineMethod } from '../define-method.ts';

/** Makes a filter that collects the hashes of new blocks. */
export const eth_newBlockFilter = defineMethod({
  kind: 'read',
  handler: ({ filters }) => filters.addBlocks(),
});
