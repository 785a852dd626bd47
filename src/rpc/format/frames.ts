import type { Frame, FrameLog, FrameType } from '../../engine/tracers/frames.ts';
import { revertReason } from '../../protocol/revert-reason.ts';
import { type Hex, hex, quantity } from '../codec/hex.ts';
import { JsonList } from '../json-pieces.ts';

/** A call frame in the format of geth's callTracer. */
export interface RpcFrame {
  from: Hex;
  gas: Hex;
  gasUsed: Hex;
  to?: Hex;
  input: Hex;
  output?: Hex;
  error?: string;
  revertReason?: string;
  calls?: JsonList<RpcFrame>;
  logs?: ReturnType<typeof formatFrameLog>[];
  /** wei; absent for STATICCALL */
  value?: Hex;
  type: FrameType;
}

/** Options of callTracer. */
export interface FrameOptions {
  readonly onlyTopCall: boolean;
  readonly withLog: boolean;
  /** index in the block of the transaction's first log */
  readonly firstLog: number;
}

/** @param transaction the transaction's gas limit, and its gas used after refunds, which geth shows for the outermost call */
export function formatFrames(
  root: Frame,
  transaction: { readonly gas: bigint; readonly gasUsed: bigint },
  options: FrameOptions,
): RpcFrame {
  return formatFrame({ ...root, ...transaction }, options, false);
}

/** @param dropped whether an outer frame failed, so that the logs were discarded */
export function formatFrame(frame: Frame, options: FrameOptions, dropped: boolean): RpcFrame {
  const without = dropped || frame.error !== undefined;
  const reason = frame.reverted ? revertReason(frame.output) : undefined;
  const logs = options.withLog && !without ? frame.logs : [];
  const calls = options.onlyTopCall ? [] : frame.calls;
  return {
    from: frame.from.toString(),
    gas: quantity(frame.gas),
    gasUsed: quantity(frame.gasUsed),
    ...(frame.to && { to: frame.to.toString() }),
    input: hex(frame.input),
    ...(frame.output.length > 0 && { output: hex(frame.output) }),
    ...(frame.error !== undefined && { error: frame.error }),
    ...(reason !== undefined && { revertReason: reason }),
    ...(calls.length > 0 && { calls: formatCalls(calls, options, without) }),
    ...(logs.length > 0 && { logs: logs.map((log) => formatFrameLog(log, options.firstLog)) }),
    ...(frame.value !== undefined && { value: quantity(frame.value) }),
    type: frame.type,
  };
}

function formatCalls(calls: readonly Frame[], options: FrameOptions, dropped: boolean): JsonList<RpcFrame> {
  return new JsonList(function* () {
    for (const call of calls) yield formatFrame(call, options, dropped);
  });
}

function formatFrameLog({ log, index, position }: FrameLog, firstLog: number) {
  return {
    address: log.address.toString(),
    topics: log.topics.map(hex),
    data: hex(log.data),
    // `index` is the log's index in the block, `position` the number of calls that the frame had made before the log.
    index: quantity(firstLog + index),
    position: quantity(position),
  };
}

/**
 * Formats the result of geth's 4byteTracer: the number of calls by selector and size of the arguments in bytes, as `selector-size`. Calls
 * of precompiles aren't counted.
 */
export function formatSelectors(root: Frame): Record<string, number> {
  const counts: Record<string, number> = {};
  const open = [root];
  for (let frame = open.pop(); frame; frame = open.pop()) {
    open.push(...frame.calls);
    const { type, input } = frame;
    const isCall = type !== 'CREATE' && type !== 'CREATE2' && type !== 'SELFDESTRUCT';
    if (!isCall || frame.precompile || input.length < 4) continue;
    const key = `${hex(input.subarray(0, 4))}-${input.length - 4}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
