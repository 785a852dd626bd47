import { string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Removes a filter; false when there is no such filter.
 * @returns true or false
 */
export const eth_uninstallFilter = defineMethod({
  kind: 'read',
  params: [string],
  handler: ({ filters }, id) => filters.remove(id),
});
