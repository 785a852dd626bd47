import { string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Ends a subscription of the caller's connection; false when it has no such subscription.
 * @returns true or false
 */
export const eth_unsubscribe = defineMethod({
  kind: 'read',
  params: [string],
  handler: ({ subscriptions, connection }, id) =>
    connection !== undefined && subscriptions.remove(connection, id),
});
