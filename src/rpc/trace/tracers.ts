import type { Block } from '../../chain/block.ts';
import { listenerOf, type Tracer } from '../../engine/engine.ts';
import { Erc7562Recorder } from '../../engine/tracers/erc7562.ts';
import { FrameRecorder } from '../../engine/tracers/frames.ts';
import { KeccakRecorder } from '../../engine/tracers/keccak-preimages.ts';
import { PrestateRecorder } from '../../engine/tracers/prestate.ts';
import type { ScriptThread } from '../../engine/tracers/script/thread.ts';
import { ScriptTracer } from '../../engine/tracers/script/tracer.ts';
import { DevnetError } from '../../errors.ts';
import type { Trace } from '../../execution/trace.ts';
import { array, object, optional, withDefault } from '../codec/codec.ts';
import { hex, quantity } from '../codec/hex.ts';
import { boolean, uint64 } from '../codec/values.ts';
import { formatErc7562 } from '../format/erc7562.ts';
import { formatFrames, formatSelectors } from '../format/frames.ts';
import { formatParityTraces, type ParityOptions, type ParityPlace } from '../format/parity.ts';
import { formatPrestate, formatPrestateDiff } from '../format/prestate.ts';
import { firstLogIndex } from '../format/receipt.ts';
import { formatDimensions, formatStateGas } from '../format/steps.ts';
import { JsonText } from '../json-text.ts';

/** The traced transaction's block and index; absent for a call. */
export interface TracePlace {
  readonly block: Block;
  readonly index: number;
}

type Settings = Readonly<Record<string, unknown>>;

/** The inputs of a tracer besides its own settings. */
export interface TraceMeans {
  readonly place: TracePlace | undefined;
  /** the thread for tracers in JavaScript */
  readonly thread: ScriptThread;
  /** time limit of a tracer in JavaScript, in milliseconds */
  readonly timeout: number;
}

type MakeTrace = (settings: Settings, means: TraceMeans) => Trace<unknown>;

const off = withDefault(boolean, false);
const callSettings = object('an object', { onlyTopCall: off, withLog: off });
const prestateSettings = object('an object', {
  diffMode: off,
  disableCode: off,
  disableStorage: off,
  includeEmpty: off,
});
const flatSettings = object('an object', { convertParityErrors: off, includePrecompiles: off });

const erc7562Settings = object('an object', {
  withLog: off,
  /** opcodes to omit from `usedOpcodes` */
  ignoredOpcodes: optional(array(uint64)),
  /** ignored; in geth, the number of words to keep of the last step's stack */
  stackTopItemsSize: optional(uint64),
});

/** The opcodes that erc7562Tracer doesn't count by default: PUSH, DUP, SWAP, POP, arithmetic, comparisons and bit operations. */
const ORDINARY_OPCODES: ReadonlySet<number> = new Set([
  ...Array.from({ length: 0x9f - 0x5f + 1 }, (_, i) => 0x5f + i),
  ...[0x50, 0x01, 0x03, 0x02, 0x04, 0x14, 0x10, 0x11, 0x12, 0x13, 0x1b, 0x1c, 0x16, 0x17, 0x19, 0x15],
]);

const PATH = 'tracerConfig';

/** geth's native tracers. */
const TRACERS: Readonly<Record<string, MakeTrace>> = {
  callTracer: (settings, { place }) => {
    const options = callSettings.decode(settings, PATH);
    const tracer = new FrameRecorder();
    const firstLog = firstLogOf(place);
    return {
      tracer,
      result: (executed) => ({
        ...formatFrames(
          tracer.root,
          { gas: tracer.gasLimit, gasUsed: executed.gasUsed },
          { ...options, firstLog },
        ),
        ...formatDimensions(executed, quantity),
      }),
    };
  },
  flatCallTracer: (settings, { place }) => {
    const options = flatSettings.decode(settings, PATH);
    return parityTrace(
      {
        parityErrors: options.convertParityErrors,
        precompiles: options.includePrecompiles ? 'all' : 'none',
        outermost: 'transaction',
      },
      place,
    );
  },
  prestateTracer: (settings) => {
    const options = prestateSettings.decode(settings, PATH);
    const tracer = new PrestateRecorder();
    return {
      tracer,
      result: async () =>
        options.diffMode
          ? formatPrestateDiff(await tracer.before(), await tracer.after(), options)
          : formatPrestate(await tracer.before(), options),
    };
  },
  '4byteTracer': () => {
    const tracer = new FrameRecorder();
    return { tracer, result: () => formatSelectors(tracer.root) };
  },
  erc7562Tracer: (settings, { place }) => {
    const { ignoredOpcodes, withLog } = erc7562Settings.decode(settings, PATH);
    const ignored = ignoredOpcodes ? new Set(ignoredOpcodes.map(Number)) : ORDINARY_OPCODES;
    const tracer = new Erc7562Recorder({ ignored });
    const firstLog = firstLogOf(place);
    return {
      tracer,
      result: ({ gasUsed }) =>
        formatErc7562(tracer, { gas: tracer.gasLimit, gasUsed }, { withLog, firstLog }),
    };
  },
  keccak256PreimageTracer: () => {
    const tracer = new KeccakRecorder();
    return { tracer, result: () => Object.fromEntries(tracer.preimages) };
  },
  /** from reth and Nethermind */
  stateGasTracer: () => ({ tracer: {}, result: formatStateGas }),
  noopTracer: () => ({ tracer: {}, result: () => ({}) }),
  muxTracer: (settings, means) => {
    const traces = Object.entries(settings).map(
      ([name, inner]) => [name, configuredTrace(name, (inner ?? {}) as Settings, means)] as const,
    );
    return {
      tracer: together(traces.map(([, { tracer }]) => tracer)),
      result: async (executed) => {
        const results: Record<string, unknown> = {};
        for (const [name, { result }] of traces) results[name] = await result(executed);
        return results;
      },
    };
  },
};

/** Returns the index in the block of a transaction's first log; 0 for a call. */
function firstLogOf(place: TracePlace | undefined): number {
  return place?.block.receipts[place.index] ? firstLogIndex(place.block, place.index) : 0;
}

/** Matches names of tracers, but no tracer in JavaScript. */
const NAME = /^[\w$]*$/;

/**
 * Creates a trace by one of geth's native tracers, or by a tracer in JavaScript.
 * @param tracer the name of a native tracer, or a JavaScript expression
 * @throws DevnetError -32000 for an unknown tracer, as in geth
 */
export function configuredTrace(tracer: string, settings: Settings, means: TraceMeans): Trace<unknown> {
  if (Object.hasOwn(TRACERS, tracer)) return TRACERS[tracer]!(settings, means);
  if (NAME.test(tracer))
    throw new DevnetError('server', { reason: `tracer ${tracer.slice(0, 80)} not found` });
  return scriptTrace(tracer, settings, means);
}

/** A dynamic import, which is not allowed in a tracer, because it could read files. */
const IMPORT = /\bimport\s*(?:\(|\.|\/[*/])/;

function scriptTrace(
  code: string,
  settings: Settings,
  { place, thread, timeout }: TraceMeans,
): Trace<unknown> {
  if (IMPORT.test(code)) throw new DevnetError('server', { reason: 'a tracer can not import modules' });
  const transaction = place?.block.transactions[place.index];
  const tracer = new ScriptTracer(
    {
      code,
      config: JSON.stringify(settings),
      timeout,
      ...(transaction && {
        place: { blockHash: place.block.hash, txHash: transaction.hash, txIndex: place.index },
      }),
    },
    { thread },
  );
  return { tracer, result: async ({ gasUsed }) => new JsonText(await tracer.result(gasUsed)) };
}

/** The options of the `trace_` methods. */
export const PARITY: ParityOptions = { parityErrors: true, precompiles: 'with value', outermost: 'frame' };

/** Creates a trace in OpenEthereum's format. */
export function parityTrace(
  options: ParityOptions,
  place?: TracePlace,
): Trace<ReturnType<typeof formatParityTraces>> {
  const tracer = new FrameRecorder();
  return {
    tracer,
    result: ({ gasUsed }) =>
      formatParityTraces(
        tracer.root,
        { gas: tracer.gasLimit, gasUsed },
        options,
        place && parityPlace(place),
      ),
  };
}

function parityPlace({ block, index }: TracePlace): ParityPlace {
  return {
    blockHash: hex(block.hash),
    blockNumber: Number(block.header.number),
    transactionHash: hex(block.transactions[index]!.hash),
    transactionPosition: index,
  };
}

/** Combines several tracers for one execution. */
export function together(tracers: readonly Tracer[]): Tracer {
  return { listener: listenerOf(...tracers) };
}
