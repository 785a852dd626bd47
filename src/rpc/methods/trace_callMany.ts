import { blockRef } from '../codec/block-ref.ts';
import { array, type Codec, invalid } from '../codec/codec.ts';
import { type TransactionRequest, transactionRequest } from '../codec/transaction.ts';
import { defineMethod } from '../define-method.ts';
import { streamOf } from '../json-pieces.ts';
import { blockAt } from '../read/block-at.ts';
import { replayTraces, traceKinds } from '../trace/replay-trace.ts';

/** A call, and the kinds of trace to return for it: `[call, kinds]`. */
const tracedCall: Codec<readonly [TransactionRequest, ReturnType<typeof traceKinds.decode>]> = {
  decode: (value, path) => {
    if (!Array.isArray(value) || value.length !== 2)
      return invalid(path, 'a list of a call object and its kinds of trace', value);
    return [transactionRequest.decode(value[0], `${path}[0]`), traceKinds.decode(value[1], `${path}[1]`)];
  },
};

/**
 * Runs calls on a block's state, each on the state that the previous ones left. The first parameter is a list of `[call, kinds]`. Returns
 * for each call the result of `trace_call`.
 * @returns a list of `{ output, trace, stateDiff, vmTrace }`
 * @throws transactionRejected
 */
export const trace_callMany = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [array(tracedCall), blockRef],
  handler: async ({ chain, tracing }, calls, ref) => {
    if (calls.length === 0) return [];
    const view = await blockAt(chain, ref);
    const limited = replayTraces();
    const traced = calls.map(([request, kinds]) => ({ request, trace: limited(kinds) }));
    return streamOf(await tracing.calls(view, traced));
  },
});
