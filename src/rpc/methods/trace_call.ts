import { blockRef } from '../codec/block-ref.ts';
import { transactionRequest } from '../codec/transaction.ts';
import { defineMethod } from '../define-method.ts';
import { streamOf } from '../json-pieces.ts';
import { blockAt } from '../read/block-at.ts';
import { replayTraces, traceKinds } from '../trace/replay-trace.ts';

/**
 * Runs a call on a block's state, and returns its calls, state changes and operations in OpenEthereum's format. The second parameter lists
 * which of `trace`, `stateDiff` and `vmTrace` to return.
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
