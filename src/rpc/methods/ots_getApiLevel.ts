import { defineMethod } from '../define-method.ts';

/**
 * Returns the version of Otterscan's RPC methods that the node implements, the newest one in Otterscan's specification.
 * @returns a number
 */
export const ots_getApiLevel = defineMethod({
  kind: 'read',
  handler: () => 8,
});
