import { string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** Forgets a filter; false when there is no such one. */
export const eth_uninstallFilter = defineMethod({
  name: 'eth_uninstallFilter',
  kind: 'read',
  params: [string],
  handler: ({ filters }, id) => filters.remove(id),
});
