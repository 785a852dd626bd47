import { defineMethod } from '../define-method.ts';

/** The optional parts of the OP Stack that the node supports. */
export const op_supportedCapabilities = defineMethod({
  name: 'op_supportedCapabilities',
  kind: 'read',
  params: [],
  handler: () => ['flashblocksv1'],
});
