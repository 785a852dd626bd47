import { withDefault } from '../codec/codec.ts';
import { address, boolean } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Refuses a sender's new transactions (-32003) until it is called with `false`. Those that wait stay.
 * @returns true
 */
export const devnet_refuseSender = defineMethod({
  kind: 'dev',
  // A recording has the transactions that are admitted: a replay refuses no sender.
  recorded: false,
  params: [address, withDefault(boolean, true)],
  handler: ({ sequencer }, sender, on) => {
    sequencer.faults.refuseSender(sender, on);
    return true;
  },
});
