import { defineMethod } from '../define-method.ts';

/** The version of Otterscan's methods: the newest one of its specification. */
export const ots_getApiLevel = defineMethod({
  name: 'ots_getApiLevel',
  kind: 'read',
  params: [],
  handler: () => 8,
});
