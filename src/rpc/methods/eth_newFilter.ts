import { withDefault } from '../codec/codec.ts';
import { logFilter } from '../codec/filter.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Creates a filter that collects the matching logs of new blocks, for `eth_getFilterChanges`.
 * @returns the id of the filter, a quantity
 * @geth filter ids are random in geth; here they count up
 */
export const eth_newFilter = defineMethod({
  kind: 'read',
  params: [withDefault(logFilter, { addresses: [], topics: [] })],
  handler: ({ filters }, wanted) => filters.addLogs(wanted),
});
