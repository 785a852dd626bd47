import { DevnetError } from '../../errors.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatOperations, frameTrace } from '../format/ots-trace.ts';

/**
 * Returns the ETH transfers, contract creations and self-destructs inside a transaction.
 * @returns a list of `{ type, from, to, value }`
 */
export const ots_getInternalOperations = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [hash32],
  handler: ({ chain, tracing }, hash) => {
    const place = chain.findTransaction(hash);
    if (!place) throw new DevnetError('server', { reason: 'transaction not found' });
    return tracing.transaction(place.block, place.index, frameTrace(formatOperations));
  },
});
