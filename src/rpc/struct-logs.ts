import { setImmediate } from 'node:timers/promises';
import { type Step, type StepOptions, StepRecorder } from '../evm/tracers/steps.ts';
import type { Executed } from '../evm/types.ts';
import type { Trace } from '../simulate/tracing.ts';
import { formatStep, formatTotals, StackWords } from './format-steps.ts';
import { formatStepAsHardhat2, formatTotalsAsHardhat2, hardhat2Words } from './hardhat2-steps.ts';
import { quantity } from './hex.ts';
import type { TextSink } from './json-stream.ts';
import type { Shapes } from './shapes.ts';
import type { TraceConfig } from './trace-config.ts';

/** Steps that a run may take before others get a turn; some 10 ms. */
const STEPS_AT_ONCE = 4096;

interface Format {
  options(config: TraceConfig): StepOptions;
  /** of one run */
  steps(): (step: Step) => object;
  totals(executed: Executed): object;
}

const FORMATS: Readonly<Record<Shapes['structLogs'], Format>> = {
  geth: {
    options: (config) => ({
      memory: config.enableMemory,
      stack: !config.disableStack,
      storage: !config.disableStorage && 'at accesses',
      returnData: config.enableReturnData,
      limit: config.limit,
    }),
    steps() {
      const words = new StackWords(quantity);
      return (step) => formatStep(step, words);
    },
    totals: formatTotals,
  },
  hardhat2: {
    options: (config) => ({
      memory: !config.disableMemory,
      stack: !config.disableStack,
      storage: !config.disableStorage && 'always',
      returnData: false,
      limit: config.limit,
    }),
    steps() {
      const words = hardhat2Words();
      return (step) => formatStepAsHardhat2(step, words);
    },
    totals: formatTotalsAsHardhat2,
  },
};

/**
 * A fresh trace by geth's struct logger, which writes its answer to `out` as the run goes on: the steps first, since
 * the gas used is known last. The run waits for room.
 */
export function structLogs(
  config: TraceConfig,
  format: Shapes['structLogs'],
  out: TextSink,
): Trace<Promise<void> | undefined> {
  const { options, steps: formatter, totals: formatEnd } = FORMATS[format];
  const formatted = formatter();
  let separator = '{"structLogs":[';
  let steps = 0;
  const tracer = new StepRecorder(options(config), {
    sink: {
      write: (step) => {
        out.write(separator + JSON.stringify(formatted(step)));
        separator = ',';
      },
      pause: () => out.room() ?? (++steps % STEPS_AT_ONCE === 0 ? setImmediate() : undefined),
    },
  });
  return {
    tracer,
    result: (executed) => {
      // The totals' own object, opened by its first field instead of a brace.
      const totals = JSON.stringify(formatEnd(executed)).slice(1);
      out.write(`${separator === ',' ? '' : separator}],${totals}`);
      return out.room();
    },
  };
}
