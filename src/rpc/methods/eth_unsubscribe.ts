import { string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Ends a subscription of the client's connection. Returns false if the connection has no such subscription.
 * @returns true or false
 */
export const eth_unsubscribe = defineMethod({
  kind: 'read',
  params: [string],
  handler: ({ subscriptions, connection }, id) =>
    connection !== undefined && subscriptions.remove(connection, id),
});
