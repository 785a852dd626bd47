import { withDefault } from '../codec/codec.ts';
import { logFilter } from '../codec/filter.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Makes a filter that collects the matching logs of new blocks, for `eth_getFilterChanges`.
 * @returns the id of the filter, a quantity
 * @geth ids of filters are random in geth, and counted here
 */
export const eth_newFilter = defineMethod({
  kind: 'read',
  params: [withDefault(logFilter, { addresses: [], topics: [] })],
  handler: ({ filters }, wanted) => filters.addLogs(wanted),
});
