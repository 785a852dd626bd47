import { blockAt } from '../block-at.ts';
import { hash32 } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { traceBlock } from '../trace-block.ts';
import { traceConfig } from '../trace-config.ts';

/** Executes a block again: what a tracer saw of each transaction. */
export const debug_traceBlockByHash = defineMethod({
  name: 'debug_traceBlockByHash',
  params: [hash32, traceConfig],
  handler: async ({ chain, tracing, shapes }, hash, config) =>
    traceBlock({ tracing, shapes }, await blockAt(chain, { hash }), config),
});
