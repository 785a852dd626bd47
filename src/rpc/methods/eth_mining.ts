import { defineMethod } from '../define-method.ts';

/** Whether blocks are made without being asked for. */
export const eth_mining = defineMethod({
  name: 'eth_mining',
  params: [],
  handler: ({ sequencer }) => sequencer.mode.kind !== 'manual',
});
