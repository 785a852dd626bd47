import { traceFilter } from '../codec/trace-filter.ts';
import { defineMethod } from '../define-method.ts';
import { filterTraces } from '../trace/filter-traces.ts';

/** The calls of a range of blocks from and to given addresses, in OpenEthereum's format. */
export const trace_filter = defineMethod({
  name: 'trace_filter',
  params: [traceFilter],
  handler: ({ chain, tracing }, filter) => filterTraces(filter, chain, tracing),
});
