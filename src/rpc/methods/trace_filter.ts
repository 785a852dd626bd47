import { traceFilter } from '../codec/trace-filter.ts';
import { defineMethod } from '../define-method.ts';
import { filterTraces } from '../trace/filter-traces.ts';

/**
 * Returns the calls from and to given addresses in a range of blocks, in OpenEthereum's format.
 * @returns a list of calls
 */
export const trace_filter = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [traceFilter],
  handler: ({ chain, tracing, pauses }, filter) => filterTraces(filter, chain, tracing, pauses),
});
