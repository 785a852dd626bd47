import { hex } from '../codec/hex.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { frameTrace } from '../format/ots-trace.ts';

/** What a transaction reverted with; `0x` for one that didn't, and when there is none. */
export const ots_getTransactionError = defineMethod({
  name: 'ots_getTransactionError',
  kind: 'read',
  forkable: true,
  params: [hash32],
  handler: ({ chain, tracing }, hash) => {
    const place = chain.findTransaction(hash);
    if (place?.block.receipts[place.index]?.status !== false) return '0x';
    const trace = frameTrace(({ output }) => hex(output));
    return tracing.transaction(place.block, place.index, trace);
  },
});
