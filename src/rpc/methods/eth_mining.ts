import { defineMethod } from '../define-method.ts';

/** Whether blocks are made: by a clock or for transactions, but not in manual mode. */
export const eth_mining = defineMethod({
  name: 'eth_mining',
  kind: 'read',
  params: [],
  handler: ({ sequencer }) => sequencer.mode.kind !== 'manual',
});
