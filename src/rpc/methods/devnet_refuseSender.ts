import { withDefault } from '../codec/codec.ts';
import { address, boolean } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** Transactions of a sender fail admission (-32003), until called with false. Those that wait stay. */
export const devnet_refuseSender = defineMethod({
  name: 'devnet_refuseSender',
  params: [address, withDefault(boolean, true)],
  handler: ({ sequencer }, sender, on) => {
    sequencer.faults.refuseSender(sender, on);
    return true;
  },
});
