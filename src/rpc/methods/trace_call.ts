import { blockAt } from '../block-at.ts';
import { blockRef } from '../codec-block-ref.ts';
import { transactionRequest } from '../codec-transaction.ts';
import { defineMethod } from '../define-method.ts';
import { replayTraces, traceKinds } from '../replay-trace.ts';

/** Runs a call and answers its calls, its changes and its operations in OpenEthereum's format. */
export const trace_call = defineMethod({
  name: 'trace_call',
  params: [transactionRequest, traceKinds, blockRef],
  handler: async ({ chain, tracing }, request, kinds, ref) =>
    tracing.call(await blockAt(chain, ref), request, replayTraces(kinds)()),
});
