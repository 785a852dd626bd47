import { defineMethod } from '../define-method.ts';

/**
 * Creates a filter that collects the hashes of new blocks, for `eth_getFilterChanges`.
 * @returns the id of the filter, a quantity
 * @geth filter ids are random in geth; here they count up
 */
export const eth_newBlockFilter = defineMethod({
  kind: 'read',
  handler: ({ filters }) => filters.addBlocks(),
});
