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
 * Executes a transaction again where it was, and keeps its steps.
 * @returns with them where in the source it failed, `undefined` where it didn't, or no build info of the project is there
 * @throws DevnetError as {@link executedPlace}
 */
export async function execute(
  context: Used,
  hash: Uint8Array,
): Promise<{ readonly execution: Execution; readonly failure: StackTrace | undefined }> {
  const { tracing, stackTraces, executions, pauses } = context;
  const { key, block, index } = placeOf(context, hash);
  const history = new StepHistory();
  const messages = new MessageRecorder();
  const tracer = { listener: listenerOfAll([history, messages]) };
  await tracing.transaction(block, index, { tracer, result: () => {} });
  // Without its thread the steps are those of opcodes alone.
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

/** The steps of a transaction that are kept, or else {@link execute}. */
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
