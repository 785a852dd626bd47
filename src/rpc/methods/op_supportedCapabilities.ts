import { preconfirms } from '../../sequencer/mining/mode.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns the optional parts of the OP Stack that the node supports: `flashblocksv1` if it publishes partial blocks.
 * @returns a list of texts
 */
export const op_supportedCapabilities = defineMethod({
  kind: 'read',
  handler: ({ sequencer }): string[] => (preconfirms(sequencer.mode) ? ['flashblocksv1'] : []),
});
