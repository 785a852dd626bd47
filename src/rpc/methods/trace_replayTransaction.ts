import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { streamOf } from '../json-pieces.ts';
import { replayTraces, traceKinds } from '../trace/replay-trace.ts';

/**
 * Executes a transaction again, and returns its calls, state changes and operations in OpenEthereum's format, or null if there is no such
 * transaction.
 * @returns `{ output, trace, stateDiff, vmTrace }`, or null
 */
export const trace_replayTransaction = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [hash32, traceKinds],
  handler: async ({ chain, tracing }, hash, kinds) => {
    const place = chain.findTransaction(hash);
    if (!place) return null;
    return streamOf(await tracing.transaction(place.block, place.index, replayTraces()(kinds)));
  },
});
