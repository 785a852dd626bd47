import { defineMethod } from '../define-method.ts';

/**
 * The version of Otterscan's RPC methods: the newest one in its specification.
 * @returns a number
 */
export const ots_getApiLevel = defineMethod({
  kind: 'read',
  handler: () => 8,
});
