import { DevnetError } from '../../errors.ts';
import { FrameRecorder } from '../../evm/tracers/frames.ts';
import { PrestateRecorder } from '../../evm/tracers/prestate.ts';
import type { Trace } from '../../execution/trace.ts';
import { hex } from '../codec/hex.ts';
import { formatParityTraces } from '../format/parity.ts';
import { formatStateDiff } from '../format/prestate.ts';
import { PARITY, together } from './tracers.ts';

/**
 * What `trace_call` answers, by the kinds of trace asked for: `trace` and `stateDiff`.
 * @throws DevnetError -32602 for others
 */
export function callTrace(types: readonly string[]): Trace<unknown> {
  for (const type of types) {
    if (type === 'trace' || type === 'stateDiff') continue;
    throw new DevnetError('invalidParams', { reason: `params[1]: expected trace or stateDiff, got ${type}` });
  }
  const frames = new FrameRecorder();
  // It looks at each step, so it is there only when it is asked for.
  const touched = types.includes('stateDiff') ? new PrestateRecorder() : undefined;
  return {
    tracer: together(touched ? [frames, touched] : [frames]),
    result: async ({ returnData, gasUsed }) => ({
      output: hex(returnData),
      stateDiff: touched ? formatStateDiff(await touched.before(), await touched.after()) : null,
      trace: types.includes('trace') ? formatParityTraces(frames.root, gasUsed, PARITY) : [],
      vmTrace: null,
    }),
  };
}
