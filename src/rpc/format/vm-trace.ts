import type { VmFrame, VmOperation } from '../../engine/tracers/vm.ts';
import { type Hex, hex, quantity } from '../codec/hex.ts';
import { JsonList } from '../json-pieces.ts';
import { JsonText } from '../json-text.ts';

/** A frame's operations in OpenEthereum's `vmTrace` format, with the operations' names added. */
export interface RpcVmTrace {
  code: Hex;
  /** operations that called code are objects, so that their parts are written one by one; the others are already text */
  ops: JsonList<RpcVmOperation | JsonText>;
}

interface RpcVmOperation {
  cost: number;
  /** the operation's effects; null if it failed */
  ex: {
    /** gas left after the operation */
    used: number;
    push: Hex[];
    mem: { off: number; data: Hex } | null;
    store: { key: Hex; val: Hex } | null;
  } | null;
  pc: number;
  sub: RpcVmTrace | null;
  op: string;
}

export function formatVmTrace({ code, operations }: VmFrame): RpcVmTrace {
  return {
    code: hex(code),
    ops: new JsonList(function* () {
      for (const operation of operations) {
        const formatted = formatOperation(operation);
        yield operation.inner ? formatted : new JsonText(JSON.stringify(formatted));
      }
    }),
  };
}

function formatOperation({ pc, name, cost, effect, inner }: VmOperation): RpcVmOperation {
  return {
    cost: Number(cost),
    ex: effect
      ? {
          used: Number(effect.gasLeft),
          push: effect.pushed.map(quantity),
          mem: effect.written ? { off: effect.written.offset, data: hex(effect.written.data) } : null,
          store: effect.stored
            ? { key: quantity(effect.stored.slot), val: quantity(effect.stored.value) }
            : null,
        }
      : null,
    pc,
    sub: inner ? formatVmTrace(inner) : null,
    op: name,
  };
}
