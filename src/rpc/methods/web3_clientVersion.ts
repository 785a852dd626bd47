import { defineMethod } from '../define-method.ts';

/**
 * Returns the name and version of this node.
 * @returns a text
 */
export const web3_clientVersion = defineMethod({
  kind: 'read',
  handler: ({ clientVersion }) => clientVersion,
});
