import { sealsEachSend } from '../../sequencer/mining/mode.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Whether each transaction is sealed in a block as it is sent.
 * @returns true or false
 */
export const anvil_getAutomine = defineMethod({
  kind: 'node',
  live: true,
  handler: ({ sequencer }) => sealsEachSend(sequencer.mode),
});
