import { FrameRecorder } from '../../engine/tracers/frames.ts';
import { PrestateRecorder } from '../../engine/tracers/prestate.ts';
import { VmRecorder } from '../../engine/tracers/vm.ts';
import { DevnetError } from '../../errors.ts';
import type { Trace } from '../../execution/trace.ts';
import { array, type Codec, invalid } from '../codec/codec.ts';
import { type Hex, hex } from '../codec/hex.ts';
import { string } from '../codec/values.ts';
import { formatParityTraces, type RpcParityTrace } from '../format/parity.ts';
import { formatStateDiff } from '../format/prestate.ts';
import { formatVmTrace, type RpcVmTrace } from '../format/vm-trace.ts';
import type { JsonList, JsonMembers } from '../json-pieces.ts';
import { PARITY, together } from './tracers.ts';

const KINDS = ['trace', 'stateDiff', 'vmTrace'] as const;
type Kind = (typeof KINDS)[number];

/** maximum number of operations in the vmTraces of one request; each takes some 300 bytes */
const MAX_OPERATIONS = 200_000;

/** The requested kinds of trace in OpenEthereum's format; the others are null or empty. */
export interface RpcReplay {
  output: Hex;
  stateDiff: JsonMembers | null;
  trace: JsonList<RpcParityTrace> | [];
  vmTrace: RpcVmTrace | null;
}

/** A list of `trace`, `stateDiff` and `vmTrace`. */
export const traceKinds: Codec<readonly Kind[]> = array({
  decode: (value, path) => {
    const given = string.decode(value, path);
    return KINDS.find((kind) => kind === given) ?? invalid(path, 'trace, stateDiff or vmTrace', value);
  },
});

/** Creates the traces of one request, which share the limit on operations. */
export function replayTraces(): (kinds: readonly Kind[]) => Trace<RpcReplay> {
  let operations = 0;
  const count = () => {
    if (++operations > MAX_OPERATIONS)
      throw new DevnetError('limitExceeded', {
        limit: 'the number of operations in vmTrace',
        max: MAX_OPERATIONS,
      });
  };
  return (kinds) => {
    const frames = new FrameRecorder();
    // The first reads state and the second inspects every step, so they are only used if requested.
    const touched = kinds.includes('stateDiff') ? new PrestateRecorder() : undefined;
    const vm = kinds.includes('vmTrace') ? new VmRecorder(count) : undefined;
    return {
      tracer: together([frames, touched, vm].filter((tracer) => tracer !== undefined)),
      result: async ({ returnData, gasUsed }) => ({
        output: hex(returnData),
        stateDiff: touched ? formatStateDiff(await touched.before(), await touched.after()) : null,
        trace: kinds.includes('trace')
          ? formatParityTraces(frames.root, { gas: frames.gasLimit, gasUsed }, PARITY)
          : [],
        vmTrace: vm ? formatVmTrace(vm.root) : null,
      }),
    };
  };
}
