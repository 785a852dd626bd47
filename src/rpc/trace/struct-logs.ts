import { setImmediate } from 'node:timers/promises';
import { StepRecorder } from '../../evm/tracers/steps.ts';
import type { Trace } from '../../execution/trace.ts';
import { formatStep, formatTotals, StackWords } from '../format/steps.ts';
import type { TextSink } from '../json-stream.ts';
import type { TraceConfig } from './config.ts';

/** Steps that a run may take before others get a turn; some 10 ms. */
const STEPS_AT_ONCE = 4096;

/**
 * A fresh trace by geth's struct logger, which writes its answer to `out` as the run goes on: the steps first, since
 * the gas used is known last. The run waits for room.
 */
export function structLogs(config: TraceConfig, out: TextSink): Trace<Promise<void> | undefined> {
  const words = new StackWords();
  let separator = '{"structLogs":[';
  let steps = 0;
  const tracer = new StepRecorder(
    {
      memory: config.enableMemory,
      stack: !config.disableStack,
      storage: !config.disableStorage,
      returnData: config.enableReturnData,
      limit: config.limit,
    },
    {
      sink: {
        write: (step) => {
          out.write(separator + JSON.stringify(formatStep(step, words)));
          separator = ',';
        },
        pause: () => out.room() ?? (++steps % STEPS_AT_ONCE === 0 ? setImmediate() : undefined),
      },
    },
  );
  return {
    tracer,
    result: (executed) => {
      // The totals' own object, opened by its first field instead of a brace.
      const totals = JSON.stringify(formatTotals(executed)).slice(1);
      out.write(`${separator === ',' ? '' : separator}],${totals}`);
      return out.room();
    },
  };
}
