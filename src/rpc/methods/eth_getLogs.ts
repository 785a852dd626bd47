import { logFilter } from '../codec/filter.ts';
import { defineMethod } from '../define-method.ts';
import { queryLogs } from '../read/logs.ts';

/**
 * Returns the logs that match a filter, in chain order.
 * @returns a list of logs
 * @throws headerNotFound, prunedHistory
 */
export const eth_getLogs = defineMethod({
  kind: 'read',
  computes: true,
  params: [logFilter],
  handler: (context, filter) => queryLogs(context, filter),
});
