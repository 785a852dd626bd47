import type { Frame } from '../../engine/tracers/frames.ts';
import { type Hex, hex, quantity } from '../codec/hex.ts';
import { JsonList } from '../json-pieces.ts';

/** A call in the format of OpenEthereum's `trace_` methods: a flat list, each with its path in the tree of calls. */
export interface RpcParityTrace {
  action: Record<string, Hex | string>;
  blockHash?: Hex;
  blockNumber?: number;
  error?: string;
  result?: { gasUsed: Hex; output?: Hex; address?: Hex; code?: Hex } | null;
  subtraces: number;
  /** indexes of calls from the outermost frame down */
  traceAddress: number[];
  transactionHash?: Hex;
  transactionPosition?: number;
  type: 'call' | 'create' | 'suicide';
}

/** The transaction's place in a block. */
export interface ParityPlace {
  readonly blockHash: Hex;
  readonly blockNumber: number;
  readonly transactionHash: Hex;
  readonly transactionPosition: number;
}

export interface ParityOptions {
  /** OpenEthereum's error messages instead of geth's */
  readonly parityErrors: boolean;
  /** which calls of precompiles are listed: all, none (as geth's flatCallTracer does), or those that send ETH (as OpenEthereum does) */
  readonly precompiles: 'all' | 'none' | 'with value';
  /**
   * Gas values of the outermost call. `transaction`: the transaction's gas limit, and its gas used after refunds (as in geth). `frame`:
   * without the intrinsic gas and before refunds, as for all other calls (as in OpenEthereum).
   */
  readonly outermost: 'transaction' | 'frame';
}

/** geth's error message -> OpenEthereum's (from geth's call_flat.go). */
const ERRORS: Readonly<Record<string, string>> = {
  'contract creation code storage out of gas': 'Out of gas',
  'out of gas': 'Out of gas',
  'max code size exceeded': 'Out of gas',
  'invalid jump destination': 'Bad jump destination',
  'execution reverted': 'Reverted',
  'return data out of bounds': 'Out of bounds',
  'stack overflow': 'Out of stack',
};
const ERROR_STARTS = [
  ['invalid opcode', 'Bad instruction'],
  ['stack underflow', 'Stack underflow'],
] as const;

/** @param transaction the transaction's gas limit, and its gas used after refunds */
export function formatParityTraces(
  root: Frame,
  transaction: { readonly gas: bigint; readonly gasUsed: bigint },
  options: ParityOptions,
  place?: ParityPlace,
): JsonList<RpcParityTrace> {
  const { gas, gasUsed } = options.outermost === 'transaction' ? transaction : root;
  const isListed = LISTED[options.precompiles];
  return new JsonList(function* () {
    const open: { frame: Frame; traceAddress: number[] }[] = [
      { frame: { ...root, gas, gasUsed }, traceAddress: [] },
    ];
    for (let next = open.pop(); next; next = open.pop()) {
      const { frame, traceAddress } = next;
      const calls = frame.calls.filter(isListed);
      const error =
        frame.error !== undefined && options.parityErrors ? parityError(frame.error) : frame.error;
      const failed = frame.error !== undefined && !frame.reverted;
      yield {
        ...shapeOf(frame, failed),
        ...place,
        ...(error !== undefined && { error }),
        subtraces: calls.length,
        traceAddress,
      };
      for (let index = calls.length - 1; index >= 0; index--)
        open.push({ frame: calls[index]!, traceAddress: [...traceAddress, index] });
    }
  });
}

const LISTED: Readonly<Record<ParityOptions['precompiles'], (call: Frame) => boolean>> = {
  all: () => true,
  none: ({ precompile, type }) => !precompile || isInContext(type),
  'with value': isOwnCall,
};

/** Whether an inner call is listed: all calls except a CALL or STATICCALL of a precompile that sends no ETH. */
export function isOwnCall({ precompile, type, value = 0n }: Frame): boolean {
  return !precompile || isInContext(type) || value > 0n;
}

/** Whether a call runs in its caller's storage. */
function isInContext(type: Frame['type']): boolean {
  return type === 'CALLCODE' || type === 'DELEGATECALL';
}

function parityError(error: string): string {
  const start = ERROR_STARTS.find(([prefix]) => error.startsWith(prefix));
  return ERRORS[error] ?? start?.[1] ?? error;
}

function shapeOf(frame: Frame, failed: boolean): Pick<RpcParityTrace, 'action' | 'result' | 'type'> {
  const from = frame.from.toString();
  const value = quantity(frame.value ?? 0n);
  if (frame.type === 'SELFDESTRUCT') {
    return {
      type: 'suicide',
      action: { address: from, balance: value, refundAddress: frame.to!.toString() },
      result: null,
    };
  }
  const gas = quantity(frame.gas);
  const gasUsed = quantity(frame.gasUsed);
  if (frame.type === 'CREATE' || frame.type === 'CREATE2') {
    const creationMethod = frame.type.toLowerCase();
    const address = frame.to && { address: frame.to.toString() };
    return {
      type: 'create',
      action: { creationMethod, from, gas, init: hex(frame.input), value },
      ...(!failed && { result: { ...address, code: hex(frame.output), gasUsed } }),
    };
  }
  const callType = frame.type.toLowerCase();
  return {
    type: 'call',
    action: { callType, from, gas, input: hex(frame.input), to: frame.to!.toString(), value },
    ...(!failed && { result: { gasUsed, output: hex(frame.output) } }),
  };
}
