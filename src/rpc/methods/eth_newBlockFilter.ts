import { defineMethod } from '../define-method.ts';

/** Collects the hashes of the blocks to come. */
export const eth_newBlockFilter = defineMethod({
  name: 'eth_newBlockFilter',
  kind: 'read',
  params: [],
  handler: ({ filters }) => filters.addBlocks(),
});
