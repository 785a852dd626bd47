import { defineMethod } from '../define-method.ts';

/**
 * Always returns true: the node accepts requests.
 * @returns true
 */
export const net_listening = defineMethod({
  kind: 'read',
  handler: () => true,
});
