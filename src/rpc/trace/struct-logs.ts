import { type Step, type StepOptions, StepRecorder } from '../../evm/tracers/steps.ts';
import type { Executed } from '../../evm/types.ts';
import type { Trace } from '../../execution/trace.ts';
import { giveWay } from '../../turns.ts';
import { quantity } from '../codec/hex.ts';
import { formatStepAsHardhat2, formatTotalsAsHardhat2, hardhat2Words } from '../compat/hardhat2-steps.ts';
import type { Shapes } from '../compat/shapes.ts';
import { formatStep, formatTotals, StackWords } from '../format/steps.ts';
import type { TextSink } from '../json-stream.ts';
import type { TraceConfig } from './config.ts';

interface Format {
  options(config: TraceConfig): StepOptions;
  /** makes the formatter for the steps of one run */
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
 * A new trace by geth's struct logger, which writes its answer to `out` during the execution. The steps come first,
 * because the gas used is known only at the end. The execution waits while `out` is full.
 */
export function structLogs(
  config: TraceConfig,
  format: Shapes['structLogs'],
  out: TextSink,
): Trace<Promise<void> | undefined> {
  const { options, steps: formatter, totals: formatEnd } = FORMATS[format];
  const formatted = formatter();
  let separator = '{"structLogs":[';
  const tracer = new StepRecorder(options(config), {
    sink: {
      write: (step) => {
        out.write(separator + JSON.stringify(formatted(step)));
        separator = ',';
      },
      pause: () => out.room() ?? giveWay(),
    },
  });
  return {
    tracer,
    result: (executed) => {
      // The totals without their opening brace continue the object that began with the steps.
      const totals = JSON.stringify(formatEnd(executed)).slice(1);
      out.write(`${separator === ',' ? '' : separator}],${totals}`);
      return out.room();
    },
  };
}
