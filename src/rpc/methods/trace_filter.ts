import { traceFilter } from '../codec/trace-filter.ts';
import { defineMethod } from '../define-method.ts';
import { filterTraces } from '../trace/filter-traces.ts';

/**
 * The calls from and to given addresses in a range of blocks, in OpenEthereum's format.
 * @returns a list of calls
 */
export const trace_filter = defineMethod({
  kind: 'read',
  computes: true,
  // A range that is left out is the latest block of this chain, not of the one that it was forked from.
  forkable: ([filter]) => [{ fromBlock: 'latest', toBlock: 'latest', ...(filter as object) }],
  params: [traceFilter],
  handler: ({ chain, tracing, pauses }, filter) => filterTraces(filter, chain, tracing, pauses),
});
