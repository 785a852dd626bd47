import { sealsEachSend } from '../../sequencer/mining/mode.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns whether automine is on: whether each transaction is sealed in a block as soon as it is sent.
 * @returns true or false
 */
export const anvil_getAutomine = defineMethod({
  kind: 'node',
  live: true,
  handler: ({ sequencer }) => sealsEachSend(sequencer.mode),
});
