import { string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { queryLogs } from '../read/logs.ts';

/** All logs that a filter of `eth_newFilter` wants, as `eth_getLogs` gives them. */
export const eth_getFilterLogs = defineMethod({
  name: 'eth_getFilterLogs',
  kind: 'read',
  params: [string],
  handler: (context, id) => queryLogs(context, context.filters.wanted(id)),
});
