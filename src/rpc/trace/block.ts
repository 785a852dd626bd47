import type { Block } from '../../chain/block.ts';
import { ScriptThread } from '../../engine/tracers/script/thread.ts';
import type { Trace, Tracing } from '../../execution/trace.ts';
import { hex } from '../codec/hex.ts';
import type { Shapes } from '../compat/shapes.ts';
import type { RpcContext } from '../context.ts';
import type { RpcParityTrace } from '../format/parity.ts';
import { JsonList, streamOf } from '../json-pieces.ts';
import type { TraceConfig } from './config.ts';
import { streamStructLogs, structLogs } from './struct-logs.ts';
import { configuredTrace, PARITY, parityTrace, type TracePlace } from './tracers.ts';

/**
 * Traces an execution by a trace configuration.
 * @returns the JSON result of the configured native tracer, or a stream of struct logs when none is configured
 * @throws DevnetError -32000 for an unknown tracer
 */
export async function traceRun(
  config: TraceConfig,
  shapes: Shapes,
  place: TracePlace | undefined,
  run: <T>(trace: Trace<T>) => Promise<T>,
): Promise<unknown> {
  const { tracer, tracerConfig = {}, timeout } = config;
  if (tracer) {
    return withThread(async (thread) =>
      streamOf(await run(configuredTrace(tracer, tracerConfig, { place, thread, timeout }))),
    );
  }
  return streamStructLogs((out) => run(structLogs(config, shapes.structLogs, out)));
}

/** Traces each transaction of a block with its own tracer. @returns `{ txHash, result }[]`, or its stream */
export async function traceBlock(
  { tracing, shapes }: Pick<RpcContext, 'tracing' | 'shapes'>,
  block: Block,
  config: TraceConfig,
): Promise<unknown> {
  const { tracer, tracerConfig = {}, timeout } = config;
  // Read before a stream begins, because it throws for the fork block.
  const { transactions } = block;
  const hashOf = (index: number) => hex(transactions[index]!.hash);
  if (tracer) {
    const results = await withThread((thread) =>
      tracing.block(block, (index) =>
        configuredTrace(tracer, tracerConfig, { place: { block, index }, thread, timeout }),
      ),
    );
    return streamOf(results.map((result, index) => ({ txHash: hashOf(index), result })));
  }
  return streamStructLogs(async (out) => {
    out.write('[');
    out.closing = ']';
    await tracing.block(block, (index) => {
      out.write(`${index > 0 ? ',' : ''}{"txHash":"${hashOf(index)}","result":`);
      const trace = structLogs(config, shapes.structLogs, out, '}]');
      return {
        tracer: trace.tracer,
        result: async (executed) => {
          await trace.result(executed);
          out.write('}');
          out.closing = ']';
        },
      };
    });
    out.write(']');
  });
}

/** Runs `use` with a thread for tracers in JavaScript, which is closed afterwards. */
async function withThread<T>(use: (thread: ScriptThread) => Promise<T>): Promise<T> {
  const thread = new ScriptThread();
  try {
    return await use(thread);
  } finally {
    thread.close();
  }
}

/** Returns all calls of a block in OpenEthereum's format, without block rewards. */
export async function parityBlock(tracing: Tracing, block: Block): Promise<JsonList<RpcParityTrace>> {
  const lists =
    block.transactions.length > 0
      ? await tracing.block(block, (index) => parityTrace(PARITY, { block, index }))
      : [];
  return new JsonList(function* () {
    for (const list of lists) yield* list.items();
  });
}
