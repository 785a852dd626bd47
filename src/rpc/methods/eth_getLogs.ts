import { logFilter } from '../codec/filter.ts';
import { defineMethod } from '../define-method.ts';
import { queryLogs } from '../read/logs.ts';

/** The logs that a filter wants, in order. */
export const eth_getLogs = defineMethod({
  name: 'eth_getLogs',
  kind: 'read',
  params: [logFilter],
  handler: (context, filter) => queryLogs(context, filter),
});
