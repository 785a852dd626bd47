import { anyOf, object, optional } from '../codec.ts';
import { uint64 } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';

const options = object('an object with timestamp', { timestamp: optional(uint64) });

/** Seals a block now with what waits; in interval mode that is the open block. Takes its timestamp in seconds. */
export const evm_mine = defineMethod({
  name: 'evm_mine',
  params: [optional(anyOf('a timestamp or an object with one', uint64, options))],
  handler: async ({ sequencer }, wanted) => {
    await sequencer.mine(typeof wanted === 'object' ? wanted.timestamp : wanted);
    return '0x0';
  },
});
