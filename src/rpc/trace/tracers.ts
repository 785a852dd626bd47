import type { Block } from '../../chain/block.ts';
import { DevnetError } from '../../errors.ts';
import { listenerOf, type Tracer } from '../../evm/engine.ts';
import { FrameRecorder } from '../../evm/tracers/frames.ts';
import { PrestateRecorder } from '../../evm/tracers/prestate.ts';
import type { Trace } from '../../execution/trace.ts';
import { object, withDefault } from '../codec/codec.ts';
import { hex } from '../codec/hex.ts';
import { boolean } from '../codec/values.ts';
import { formatFrames, formatSelectors } from '../format/frames.ts';
import { formatParityTraces, type ParityOptions, type ParityPlace } from '../format/parity.ts';
import { formatPrestate, formatPrestateDiff } from '../format/prestate.ts';
import { firstLogIndex } from '../format/receipt.ts';

/** The traced transaction's place in a block; absent for a call. */
export interface TracePlace {
  readonly block: Block;
  readonly index: number;
}

type Settings = Readonly<Record<string, unknown>>;
type MakeTrace = (settings: Settings, place: TracePlace | undefined) => Trace<unknown>;

const off = withDefault(boolean, false);
const callSettings = object('an object', { onlyTopCall: off, withLog: off });
const prestateSettings = object('an object', {
  diffMode: off,
  disableCode: off,
  disableStorage: off,
  includeEmpty: off,
});
const flatSettings = object('an object', { convertParityErrors: off, includePrecompiles: off });

const PATH = 'tracerConfig';

/** geth's native tracers. */
const TRACERS: Readonly<Record<string, MakeTrace>> = {
  callTracer: (settings, place) => {
    const options = callSettings.decode(settings, PATH);
    const tracer = new FrameRecorder();
    const firstLog = place?.block.receipts[place.index] ? firstLogIndex(place.block, place.index) : 0;
    return {
      tracer,
      result: ({ gasUsed }) => formatFrames(tracer.root, gasUsed, { ...options, firstLog }),
    };
  },
  flatCallTracer: (settings, place) => {
    const options = flatSettings.decode(settings, PATH);
    return parityTrace(
      { parityErrors: options.convertParityErrors, precompiles: options.includePrecompiles },
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
  noopTracer: () => ({ tracer: {}, result: () => ({}) }),
  muxTracer: (settings, place) => {
    const traces = Object.entries(settings).map(
      ([name, inner]) => [name, nativeTrace(name, (inner ?? {}) as Settings, place)] as const,
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

/** A new trace by one of geth's native tracers. @throws DevnetError -32000 for an unknown tracer, as in geth */
export function nativeTrace(name: string, settings: Settings, place: TracePlace | undefined): Trace<unknown> {
  const make = Object.hasOwn(TRACERS, name) ? TRACERS[name] : undefined;
  if (!make) throw new DevnetError('server', { reason: `tracer ${name.slice(0, 80)} not found` });
  return make(settings, place);
}

/** The options of the `trace_` methods. */
export const PARITY: ParityOptions = { parityErrors: true, precompiles: false };

/** A trace in OpenEthereum's format. */
export function parityTrace(
  options: ParityOptions,
  place?: TracePlace,
): Trace<ReturnType<typeof formatParityTraces>> {
  const tracer = new FrameRecorder();
  return {
    tracer,
    result: ({ gasUsed }) => formatParityTraces(tracer.root, gasUsed, options, place && parityPlace(place)),
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
  const attached = tracers.filter((tracer) => tracer.attach);
  return {
    listener: listenerOf(...tracers),
    ...(attached.length > 0 && {
      attach: (evm, run) => {
        const detach = attached.map((tracer) => tracer.attach!(evm, run));
        return () => {
          for (const end of detach) end();
        };
      },
    }),
  };
}
