import { string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns what a filter has collected since the last call: logs, or hashes of blocks or transactions.
 * @returns a list of logs, or of hashes
 * @throws server
 */
export const eth_getFilterChanges = defineMethod({
  kind: 'read',
  params: [string],
  handler: ({ filters }, id) => filters.changes(id),
});
