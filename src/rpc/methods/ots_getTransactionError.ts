import { hex } from '../codec/hex.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { frameTrace } from '../format/ots-trace.ts';

/**
 * Returns a transaction's revert data, or `0x` if it didn't revert or doesn't exist.
 * @returns bytes
 */
export const ots_getTransactionError = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [hash32],
  handler: ({ chain, tracing }, hash) => {
    const place = chain.findTransaction(hash);
    if (place?.block.receipts[place.index]?.status !== false) return '0x';
    const trace = frameTrace(({ output }) => hex(output));
    return tracing.transaction(place.block, place.index, trace);
  },
});
