import { defineMethod } from '../define-method.ts';

/** The name and version of this node. */
export const web3_clientVersion = defineMethod({
  name: 'web3_clientVersion',
  kind: 'read',
  params: [],
  handler: ({ clientVersion }) => clientVersion,
});
