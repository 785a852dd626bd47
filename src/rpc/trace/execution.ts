import { Execution } from '../../debugger/execution.ts';
import { listenerOfAll } from '../../engine/run-listener.ts';
import { MessageRecorder } from '../../engine/tracers/messages.ts';
import { StepHistory } from '../../engine/tracers/step-history.ts';
import type { SourceLines } from '../../stack-trace/code-lines.ts';
import type { StackTrace } from '../../stack-trace/stack-trace.ts';
import { hex } from '../codec/hex.ts';
import type { RpcContext } from '../context.ts';
import { executedPlace } from '../read/executed-place.ts';

type Used = Pick<RpcContext, 'chain' | 'pool' | 'tracing' | 'stackTraces' | 'executions' | 'pauses'>;

/**
 * Executes a transaction again in its block, and keeps its steps.
 * @returns the steps, and where in the source it failed: `undefined` if it didn't fail, or if the project has no build info
 * @throws DevnetError like {@link executedPlace}
 */
export async function execute(
  context: Used,
  hash: Uint8Array,
): Promise<{ readonly execution: Execution; readonly failure: StackTrace | undefined }> {
  const { tracing, stackTraces, executions, pauses } = context;
  const { key, block, index } = placeOf(context, hash);
  // Its thread starts while the transaction runs here.
  stackTraces.prepare();
  const history = new StepHistory();
  const messages = new MessageRecorder();
  const tracer = { listener: listenerOfAll([history, messages]) };
  await tracing.transaction(block, index, { tracer, result: () => {} });
  // If the stack trace thread fails, only the steps of opcodes are available, without source lines.
  const asked = stackTraces.mayKnow
    ? ([
        stackTraces.lines(history.codes).catch(() => undefined),
        messages.root?.error === undefined
          ? undefined
          : stackTraces.trace(messages.root).catch(() => undefined),
      ] as const)
    : ([] as const);
  const [sources = unknown(history), failure] = await Promise.all(asked);
  const execution = await Execution.of(history, sources, pauses);
  executions.set(key, execution);
  return { execution, failure };
}

/** Returns the kept steps of a transaction, or executes it with {@link execute}. */
export async function executionOf(context: Used, hash: Uint8Array): Promise<Execution> {
  return context.executions.get(placeOf(context, hash).key) ?? (await execute(context, hash)).execution;
}

function placeOf(context: Pick<Used, 'chain' | 'pool'>, hash: Uint8Array) {
  const place = executedPlace(context, hash);
  const { parentHash, timestamp } = place.block.header;
  return { ...place, key: `${hex(hash)} ${hex(parentHash)} ${timestamp} ${place.index}` };
}

function unknown({ codes }: StepHistory): SourceLines {
  return { codes: codes.map(() => undefined), functions: [], files: [] };
}
