import { defineMethod } from '../define-method.ts';

/** What of the OP Stack's optional parts the node has. */
export const op_supportedCapabilities = defineMethod({
  name: 'op_supportedCapabilities',
  kind: 'read',
  params: [],
  handler: () => ['flashblocksv1'],
});
