import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatOtsTrace, frameTrace } from '../format/ots-trace.ts';

/**
 * Returns a transaction's calls, contract creations and self-destructs as a flat list, empty if there is no such transaction.
 * @returns a list of `{ type, depth, from, to, value, input, output }`
 */
export const ots_traceTransaction = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [hash32],
  handler: ({ chain, tracing }, hash) => {
    const place = chain.findTransaction(hash);
    const trace = frameTrace((root) => formatOtsTrace(root));
    return place ? tracing.transaction(place.block, place.index, trace) : [];
  },
});
