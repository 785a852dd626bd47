import { array } from '../codec/codec.ts';
import { hash32, uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { PARITY, parityTrace } from '../trace/tracers.ts';

/**
 * Returns one call of a transaction in OpenEthereum's format: the one whose `traceAddress` is the second parameter. `[]` is the outermost
 * call. Returns null if there is no such transaction or call.
 * @returns a call, or null
 */
export const trace_get = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [hash32, array(uint64)],
  handler: async ({ chain, tracing }, hash, address) => {
    const place = chain.findTransaction(hash);
    if (!place) return null;
    const traces = await tracing.transaction(place.block, place.index, parityTrace(PARITY, place));
    const wanted = address.join();
    for (const trace of traces.items()) if (trace.traceAddress.join() === wanted) return trace;
    return null;
  },
});
