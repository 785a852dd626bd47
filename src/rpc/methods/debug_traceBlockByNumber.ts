import { blockNumber } from '../codec/block-ref.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';
import { traceBlock } from '../trace/block.ts';
import { traceConfig } from '../trace/config.ts';

/**
 * Executes a sealed block or the pending one again, and returns each transaction's trace.
 * @returns a list of `{ txHash, result }`
 * @geth geth does not trace `pending`
 */
export const debug_traceBlockByNumber = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [blockNumber, traceConfig],
  handler: async ({ chain, tracing, shapes }, ref, config) =>
    traceBlock({ tracing, shapes }, await blockAt(chain, ref), config),
});
