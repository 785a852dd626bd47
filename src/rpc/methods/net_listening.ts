import { defineMethod } from '../define-method.ts';

/**
 * Whether the node accepts requests: always true.
 * @returns true
 */
export const net_listening = defineMethod({
  kind: 'read',
  handler: () => true,
});
