import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { streamOf } from '../json-pieces.ts';
import { PARITY, parityTrace } from '../trace/tracers.ts';

/**
 * Returns the calls of a transaction in OpenEthereum's format, or null if there is no such transaction.
 * @returns a list of calls, or null
 */
export const trace_transaction = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [hash32],
  handler: async ({ chain, tracing }, hash) => {
    const place = chain.findTransaction(hash);
    if (!place) return null;
    return streamOf(await tracing.transaction(place.block, place.index, parityTrace(PARITY, place)));
  },
});
