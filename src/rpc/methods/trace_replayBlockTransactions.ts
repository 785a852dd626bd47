import { blockNumber } from '../codec/block-ref.ts';
import { hex } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';
import { streamOf } from '../json-pieces.ts';
import { replayTraces, traceKinds } from '../trace/replay-trace.ts';

/**
 * Returns the result of `trace_replayTransaction` for each transaction of a block, or null if there is no such block.
 * @returns a list of `{ output, trace, stateDiff, vmTrace, transactionHash }`, or null
 */
export const trace_replayBlockTransactions = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [blockNumber, traceKinds],
  handler: async ({ chain, tracing }, ref, kinds) => {
    const block = await chain.resolve(ref);
    if (!block) return null;
    if (block.transactions.length === 0) return [];
    const limited = replayTraces();
    const replays = await tracing.block(block, () => limited(kinds));
    return streamOf(
      replays.map((replay, i) => ({ ...replay, transactionHash: hex(block.transactions[i]!.hash) })),
    );
  },
});
