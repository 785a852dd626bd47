import { DevnetError } from '../../errors.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { traceRun } from '../trace/block.ts';
import { traceConfig } from '../trace/config.ts';

/**
 * Executes a sealed or pre-confirmed transaction again, and returns its trace.
 * @returns the tracer's result; without a tracer `{ gas, failed, returnValue, structLogs }`
 * @geth geth doesn't trace pre-confirmed transactions
 */
export const debug_traceTransaction = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [hash32, traceConfig],
  handler: ({ chain, tracing, shapes }, hash, config) => {
    const place = chain.findTransaction(hash);
    if (!place) throw new DevnetError('server', { reason: 'transaction not found' });
    return traceRun(config, shapes, place, (trace) => tracing.transaction(place.block, place.index, trace));
  },
});
