import { withDefault } from '../codec/codec.ts';
import { address, boolean } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** Transactions of a sender fail admission (-32003), until called with false. Those that wait stay. */
export const devnet_refuseSender = defineMethod({
  name: 'devnet_refuseSender',
  kind: 'dev',
  // A recording has the transactions that are admitted: a replay refuses no sender.
  recorded: false,
  params: [address, withDefault(boolean, true)],
  handler: ({ sequencer }, sender, on) => {
    sequencer.faults.refuseSender(sender, on);
    return true;
  },
});
