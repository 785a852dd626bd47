import { type Step, type StepOptions, StepRecorder } from '../../evm/tracers/steps.ts';
import type { Executed } from '../../evm/types.ts';
import type { Trace } from '../../execution/trace.ts';
import type { Pauses } from '../../turns.ts';
import { quantity } from '../codec/hex.ts';
import { formatStepAsHardhat2, formatTotalsAsHardhat2, hardhat2Words } from '../compat/hardhat2-steps.ts';
import type { Shapes } from '../compat/shapes.ts';
import { formatStep, formatTotals, StackWords } from '../format/steps.ts';
import { JsonList, writeJson } from '../json-pieces.ts';
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
export function structLogs(config: TraceConfig, format: Shapes['structLogs'], out: TextSink): Trace<void> {
  const { options, steps: formatter, totals: formatEnd } = FORMATS[format];
  const formatted = formatter();
  let separator = '{"structLogs":[';
  const waiting: Step[] = [];
  const writeOut = (pauses?: Pauses): Promise<void> | undefined => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const json = formatted(step);
      out.write(separator);
      separator = ',';
      if ('memory' in json && json.memory instanceof JsonList)
        return writeJson(json, out, pauses).then(() => writeOut(pauses));
      out.write(JSON.stringify(json));
    }
    return out.room();
  };
  const tracer = new StepRecorder(options(config), {
    sink: { write: (step) => waiting.push(step), pause: writeOut },
  });
  return {
    tracer,
    result: async (executed) => {
      await writeOut();
      // The totals without their opening brace continue the object that began with the steps.
      const totals = JSON.stringify(formatEnd(executed)).slice(1);
      out.write(`${separator === ',' ? '' : separator}],${totals}`);
      await out.room();
    },
  };
}
