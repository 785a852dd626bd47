import { defineMethod } from '../define-method.ts';

/**
 * The optional parts of the OP Stack that the node supports.
 * @returns a list of texts
 */
export const op_supportedCapabilities = defineMethod({
  kind: 'read',
  handler: () => ['flashblocksv1'],
});
