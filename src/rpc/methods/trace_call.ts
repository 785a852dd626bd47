import { blockRef } from '../codec/block-ref.ts';
import { transactionRequest } from '../codec/transaction.ts';
import { defineMethod } from '../define-method.ts';
import { streamOf } from '../json-pieces.ts';
import { blockAt } from '../read/block-at.ts';
import { replayTraces, traceKinds } from '../trace/replay-trace.ts';

/**
 * Runs a call. Answers its calls, state changes and operations in OpenEthereum's format.
 * @returns `{ output, trace, stateDiff, vmTrace }`
 * @throws transactionRejected
 */
export const trace_call = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [transactionRequest, traceKinds, blockRef],
  handler: async ({ chain, tracing }, request, kinds, ref) =>
    streamOf(await tracing.call(await blockAt(chain, ref), request, replayTraces()(kinds))),
});
