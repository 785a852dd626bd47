import type { Frame, FrameType } from '../../engine/tracers/frames.ts';
import { FrameRecorder } from '../../engine/tracers/frames.ts';
import type { Trace } from '../../execution/trace.ts';
import { type Hex, hex, quantity } from '../codec/hex.ts';
import { isOwnCall } from './parity.ts';

/** A call, creation or self-destruction in Otterscan's format: a flat list, each frame before its inner frames. */
interface RpcOtsTrace {
  type: FrameType;
  /** 0 for the transaction's own call */
  depth: number;
  from: Hex;
  /** null for a creation that failed before it had an address */
  to: Hex | null;
  /** wei */
  value: Hex;
  input: Hex;
  output: Hex;
}

interface RpcOperation {
  /** transfer 0, self-destruction 1, CREATE 2, CREATE2 3 */
  type: number;
  from: Hex;
  to: Hex;
  /** wei */
  value: Hex;
}

const OPERATIONS: Partial<Record<FrameType, number>> = { CALL: 0, SELFDESTRUCT: 1, CREATE: 2, CREATE2: 3 };

/** Makes a trace whose result is computed from the tree of calls. */
export function frameTrace<T>(format: (root: Frame) => T): Trace<T> {
  const tracer = new FrameRecorder();
  return { tracer, result: () => format(tracer.root) };
}

/** Lists all calls, creations and self-destructs of a transaction. */
export function formatOtsTrace(frame: Frame, depth = 0): RpcOtsTrace[] {
  const { type, from, value = 0n, input, output } = frame;
  return [
    {
      type,
      depth,
      from: from.toString(),
      to: recipientOf(frame)?.toString() ?? null,
      value: quantity(value),
      input: hex(input),
      output: hex(output),
    },
    ...frame.calls.filter(isOwnCall).flatMap((call) => formatOtsTrace(call, depth + 1)),
  ];
}

/** Lists the ETH transfers, creations and self-destructs inside a transaction's outermost call, including reverted ones. */
export function formatOperations({ calls }: Frame): RpcOperation[] {
  return calls.flatMap((call) => {
    const { type, from, value = 0n } = call;
    const operation = OPERATIONS[type];
    const to = recipientOf(call);
    const counts = operation !== undefined && to && (type !== 'CALL' || value > 0n);
    return [
      ...(counts
        ? [{ type: operation, from: from.toString(), to: to.toString(), value: quantity(value) }]
        : []),
      ...formatOperations(call),
    ];
  });
}

function recipientOf({ to, attempted }: Frame) {
  return to ?? attempted;
}
