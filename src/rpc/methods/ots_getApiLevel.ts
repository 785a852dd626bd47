import { defineMethod } from '../define-method.ts';

/** The version of Otterscan's RPC methods: the newest one in its specification. */
export const ots_getApiLevel = defineMethod({
  name: 'ots_getApiLevel',
  kind: 'read',
  params: [],
  handler: () => 8,
});
