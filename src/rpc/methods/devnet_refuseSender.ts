import { withDefault } from '../codec/codec.ts';
import { address, boolean } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Rejects a sender's new transactions with the error -32003, until it is called with `false`. The sender's waiting transactions stay in the
 * mempool.
 * @returns true
 */
export const devnet_refuseSender = defineMethod({
  kind: 'dev',
  // A recording has admitted transactions only, so a replay needs to reject no sender.
  recorded: false,
  params: [address, withDefault(boolean, true)],
  handler: ({ sequencer }, sender, on) => {
    sequencer.faults.refuseSender(sender, on);
    return true;
  },
});
