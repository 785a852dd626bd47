import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';
import { traceBlock } from '../trace/block.ts';
import { traceConfig } from '../trace/config.ts';

/**
 * Executes a block again, and returns each transaction's trace.
 * @returns a list of `{ txHash, result }`
 */
export const debug_traceBlockByHash = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [hash32, traceConfig],
  handler: async ({ chain, tracing, shapes }, hash, config) =>
    traceBlock({ tracing, shapes }, await blockAt(chain, { hash }), config),
});
