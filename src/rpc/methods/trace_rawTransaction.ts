import { blockRef } from '../codec/block-ref.ts';
import { data } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { streamOf } from '../json-pieces.ts';
import { blockAt } from '../read/block-at.ts';
import { replayTraces, traceKinds } from '../trace/replay-trace.ts';

/**
 * Executes a signed transaction on a block's state without sending it, and returns its calls, state changes and operations in
 * OpenEthereum's format. Its signature, nonce, fees and balance are checked.
 * @returns `{ output, trace, stateDiff, vmTrace }`
 * @throws transactionRejected
 */
export const trace_rawTransaction = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [data, traceKinds, blockRef],
  handler: async ({ chain, decoder, tracing }, raw, kinds, ref) => {
    const transaction = decoder.decode(raw);
    return streamOf(await tracing.signed(await blockAt(chain, ref), transaction, replayTraces()(kinds)));
  },
});
