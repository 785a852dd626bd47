import { DevnetError } from '../../errors.ts';
import { FrameRecorder } from '../../evm/tracers/frames.ts';
import { PrestateRecorder } from '../../evm/tracers/prestate.ts';
import { VmRecorder } from '../../evm/tracers/vm.ts';
import type { Trace } from '../../execution/trace.ts';
import { array, type Codec, invalid } from '../codec/codec.ts';
import { type Hex, hex } from '../codec/hex.ts';
import { string } from '../codec/values.ts';
import { formatParityTraces, type RpcParityTrace } from '../format/parity.ts';
import { formatStateDiff } from '../format/prestate.ts';
import { formatVmTrace, type RpcVmTrace } from '../format/vm-trace.ts';
import { PARITY, together } from './tracers.ts';

const KINDS = ['trace', 'stateDiff', 'vmTrace'] as const;
type Kind = (typeof KINDS)[number];

/** operations that one vmTrace, or those of one block, may have: some 300 bytes each */
const MAX_OPERATIONS = 200_000;

/** What was asked of a run, in OpenEthereum's format; the rest is empty. */
export interface RpcReplay {
  output: Hex;
  stateDiff: Record<string, unknown> | null;
  trace: RpcParityTrace[];
  vmTrace: RpcVmTrace | null;
}

/** A list of `trace`, `stateDiff` and `vmTrace`. */
export const traceKinds: Codec<readonly Kind[]> = array({
  decode: (value, path) => {
    const given = string.decode(value, path);
    return KINDS.find((kind) => kind === given) ?? invalid(path, 'trace, stateDiff or vmTrace', value);
  },
});

/** Traces of runs of one request, which have the limit on operations together. */
export function replayTraces(kinds: readonly Kind[]): () => Trace<RpcReplay> {
  let operations = 0;
  const count = () => {
    if (++operations > MAX_OPERATIONS)
      throw new DevnetError('limitExceeded', {
        limit: 'the number of operations in vmTrace',
        max: MAX_OPERATIONS,
      });
  };
  return () => {
    const frames = new FrameRecorder();
    // Those two look at each step, so they are there only when they are asked for.
    const touched = kinds.includes('stateDiff') ? new PrestateRecorder() : undefined;
    const vm = kinds.includes('vmTrace') ? new VmRecorder(count) : undefined;
    return {
      tracer: together([frames, touched, vm].filter((tracer) => tracer !== undefined)),
      result: async ({ returnData, gasUsed }) => ({
        output: hex(returnData),
        stateDiff: touched ? formatStateDiff(await touched.before(), await touched.after()) : null,
        trace: kinds.includes('trace') ? formatParityTraces(frames.root, gasUsed, PARITY) : [],
        vmTrace: vm ? formatVmTrace(vm.root) : null,
      }),
    };
  };
}
