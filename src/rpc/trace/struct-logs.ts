import { StepRecorder } from '../../evm/tracers/steps.ts';
import type { Trace } from '../../execution/trace.ts';
import { giveWay } from '../../turns.ts';
import { formatStep, formatTotals, StackWords } from '../format/steps.ts';
import type { TextSink } from '../json-stream.ts';
import type { TraceConfig } from './config.ts';

/**
 * A fresh trace by geth's struct logger, which writes its answer to `out` as the run goes on: the steps first, since
 * the gas used is known last. The run waits for room.
 */
export function structLogs(config: TraceConfig, out: TextSink): Trace<Promise<void> | undefined> {
  const words = new StackWords();
  let separator = '{"structLogs":[';
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
        pause: () => out.room() ?? giveWay(),
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
