import { defineMethod } from '../define-method.ts';

/** Who receives the tips of the next block. */
export const eth_coinbase = defineMethod({
  name: 'eth_coinbase',
  params: [],
  handler: ({ sequencer }) => sequencer.blockSettings.coinbase.toString(),
});
