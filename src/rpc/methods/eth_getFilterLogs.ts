import { string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { queryLogs } from '../read/logs.ts';

/**
 * Returns all logs that match a filter of `eth_newFilter`, in the format of `eth_getLogs`.
 * @returns a list of logs
 * @throws server
 */
export const eth_getFilterLogs = defineMethod({
  kind: 'read',
  computes: true,
  params: [string],
  handler: (context, id) => queryLogs(context, context.filters.wanted(id)),
});
