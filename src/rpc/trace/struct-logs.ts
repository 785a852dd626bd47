import { type Step, type StepOptions, StepRecorder } from '../../evm/tracers/steps.ts';
import type { Executed } from '../../evm/types.ts';
import type { Trace } from '../../execution/trace.ts';
import { giveWay, type Pauses, turns } from '../../turns.ts';
import { formatTotalsAsHardhat2, hardhat2Steps } from '../compat/hardhat2-steps.ts';
import type { Shapes } from '../compat/shapes.ts';
import type { StepText } from '../format/step-text.ts';
import { formatTotals, gethSteps } from '../format/steps.ts';
import type { TextSink } from '../json-stream.ts';
import type { TraceConfig } from './config.ts';

interface Format {
  options(config: TraceConfig): StepOptions;
  /** makes the formatter for the steps of one run */
  steps(): (step: Step) => StepText;
  totals(executed: Executed): object;
}

const GETH: Format = {
  options: (config) => ({
    memory: config.enableMemory,
    stack: !config.disableStack,
    storage: !config.disableStorage && 'at accesses',
    returnData: config.enableReturnData,
    limit: config.limit,
  }),
  steps: () => gethSteps('of the run'),
  totals: formatTotals,
};

const FORMATS: Readonly<Record<Shapes['structLogs'], Format>> = {
  geth: GETH,
  hardhat: { ...GETH, steps: () => gethSteps('of the frame') },
  hardhat2: {
    options: (config) => ({
      memory: !config.disableMemory,
      stack: !config.disableStack,
      storage: !config.disableStorage && 'always',
      returnData: false,
      limit: config.limit,
    }),
    steps: hardhat2Steps,
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
      const { head, memory, tail } = formatted(step);
      const before = separator + head;
      separator = ',';
      if (typeof memory !== 'string')
        return writePieces(before, memory, tail, out, pauses).then(() => writeOut(pauses));
      out.write(before + memory + tail);
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

/** Writes a step with a large memory, and gives way in between. */
async function writePieces(
  before: string,
  memory: Iterable<string>,
  after: string,
  out: TextSink,
  pauses: Pauses = turns,
): Promise<void> {
  out.write(before);
  for (const piece of memory) {
    out.write(piece);
    const wait = out.room() ?? giveWay(pauses);
    if (wait) await wait;
  }
  out.write(after);
}
