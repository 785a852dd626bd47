import { type Step, type StepOptions, StepRecorder, type StepSink } from '../../engine/tracers/steps.ts';
import { DevnetError } from '../../errors.ts';
import type { Trace } from '../../execution/trace.ts';
import type { Executed } from '../../protocol/types.ts';
import { giveWay, type Pauses, turns } from '../../turns.ts';
import { formatTotalsAsHardhat2, hardhat2Steps } from '../compat/hardhat2-steps.ts';
import type { Shapes } from '../compat/shapes.ts';
import type { StepText } from '../format/step-text.ts';
import { formatTotals, gethSteps } from '../format/steps.ts';
import { JsonStream, type TextSink } from '../json-stream.ts';
import type { TraceConfig } from './config.ts';

/**
 * Maximum number of characters (ASCII) of struct logs in one answer. A JavaScript string can have at most twice as many, so a client in
 * JavaScript couldn't read much more.
 */
const MAX = 256 * 2 ** 20;

interface Format {
  options(config: TraceConfig): StepOptions;
  /** creates the formatter for the steps of one execution */
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

/** JSON text that is being written and can be ended at any moment. */
export class OpenText {
  readonly #sink: TextSink;
  readonly #most: number;
  #length = 0;
  /** the text that would complete the JSON at this moment */
  closing = '';

  /** @param most maximum number of characters */
  constructor(sink: TextSink, most: number) {
    this.#sink = sink;
    this.#most = most;
  }

  write(text: string): void {
    this.#length += text.length;
    this.#sink.write(text);
  }

  /** @throws like {@link TextSink.room}; DevnetError `limitExceeded` */
  room(): Promise<void> | undefined {
    if (this.#length > this.#most)
      throw new DevnetError('limitExceeded', {
        limit: 'the size of the struct logs in bytes',
        max: this.#most,
      });
    return this.#sink.room();
  }
}

/**
 * Streams struct logs. If the execution has to end early, because of the time limit or the size limit, the answer has the part written so
 * far, and the error.
 */
export function streamStructLogs(
  write: (out: OpenText) => Promise<unknown>,
  most: number = MAX,
): Promise<JsonStream> {
  return JsonStream.open(async (sink) => {
    const out = new OpenText(sink, most);
    try {
      await write(out);
    } catch (error) {
      sink.end(out.closing, error);
    }
  });
}

/**
 * Creates a trace by geth's struct logger, which writes its result to `out` during the execution. The execution waits while `out` is full.
 * @param around the rest of the text after the result
 */
export function structLogs(
  config: TraceConfig,
  format: Shapes['structLogs'],
  out: OpenText,
  around = '',
): Trace<void> {
  const { sink, end } = stepWriter(format, out, around);
  return { tracer: new StepRecorder(FORMATS[format].options(config), { sink }), result: end };
}

/**
 * Writes the steps of an execution, and the totals at its end: the gas used is known only then.
 * @param around see {@link structLogs}
 */
export function stepWriter(
  format: Shapes['structLogs'],
  out: OpenText,
  around: string,
): { readonly sink: StepSink; readonly end: (executed: Executed) => Promise<void> } {
  const { steps: formatter, totals: formatEnd } = FORMATS[format];
  const formatted = formatter();
  let separator = '{"structLogs":[';
  out.closing = `null${around}`;
  const waiting: Step[] = [];
  const writeOut = (pauses?: Pauses): Promise<void> | undefined => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const { head, memory, tail } = formatted(step);
      const before = separator + head;
      separator = ',';
      const closing = `]}${around}`;
      if (typeof memory !== 'string')
        return writePieces({ before, memory, after: tail, closing }, out, pauses).then(() =>
          writeOut(pauses),
        );
      out.write(before + memory + tail);
      out.closing = closing;
    }
    return out.room();
  };
  return {
    sink: { write: (step) => waiting.push(step), pause: writeOut },
    end: async (executed) => {
      await writeOut();
      // The totals without their opening brace continue the object that was started with the steps.
      const totals = JSON.stringify(formatEnd(executed)).slice(1);
      out.write(`${separator === ',' ? '' : separator}],${totals}`);
      out.closing = around;
      await out.room();
    },
  };
}

/**
 * Writes a step with a large memory, and lets other work run in between. @param step.closing completes the text if it ends after this step
 */
async function writePieces(
  {
    before,
    memory,
    after,
    closing,
  }: {
    readonly before: string;
    readonly memory: Iterable<string>;
    readonly after: string;
    readonly closing: string;
  },
  out: OpenText,
  pauses: Pauses = turns,
): Promise<void> {
  out.write(before);
  for (const piece of memory) {
    out.write(piece);
    out.closing = `${piece === ']' ? '' : ']'}${after}${closing}`;
    const wait = out.room() ?? giveWay(pauses);
    if (wait) await wait;
  }
  out.write(after);
  out.closing = closing;
}
