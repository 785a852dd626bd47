import { string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Removes a filter. Returns false if there is no such filter.
 * @returns true or false
 */
export const eth_uninstallFilter = defineMethod({
  kind: 'read',
  params: [string],
  handler: ({ filters }, id) => filters.remove(id),
});
