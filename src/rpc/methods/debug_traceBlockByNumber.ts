import { blockNumber } from '../codec/block-ref.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';
import { traceBlock } from '../trace/block.ts';
import { traceConfig } from '../trace/config.ts';

/** Executes a block again, the pending one too: what a tracer saw of each transaction. */
export const debug_traceBlockByNumber = defineMethod({
  name: 'debug_traceBlockByNumber',
  kind: 'read',
  forkable: true,
  params: [blockNumber, traceConfig],
  handler: async ({ chain, tracing, shapes }, ref, config) =>
    traceBlock({ tracing, shapes }, await blockAt(chain, ref), config),
});
