import type { Message as EngineMessage, EVMResult } from '@ethereumjs/evm';
import type { Pauses } from '../../turns.ts';
import type { DevnetEVM, OpcodeObserver } from '../devnet-evm.ts';
import type { Tracer } from '../engine.ts';
import type { OpcodeStep, RunState } from '../watched-opcodes.ts';

/** The code of a frame and the operations it executed. */
export interface VmFrame {
  readonly code: Uint8Array;
  readonly operations: readonly VmOperation[];
}

export interface VmOperation {
  readonly pc: number;
  readonly name: string;
  /** for calls including the gas passed to the callee */
  cost: bigint;
  /** result of the operation; absent when it failed */
  effect?: VmEffect;
  /** the frame of the call it made; absent for precompiles */
  inner?: VmFrame;
}

export interface VmEffect {
  readonly gasLeft: bigint;
  /** bottom first; for DUP and SWAP all words down to the deepest one involved */
  readonly pushed: readonly bigint[];
  readonly written?: { readonly offset: number; readonly data: Uint8Array };
  readonly stored?: { readonly slot: bigint; readonly value: bigint };
}

interface OpenFrame {
  readonly message: EngineMessage;
  readonly operations: VmOperation[];
  last?: { readonly operation: VmOperation; readonly code: number; readonly stack: readonly bigint[] };
}

/** What a recorded operation takes besides the memory that it wrote, in bytes. */
const OPERATION_BYTES = 400;
const SSTORE = 0x55;
/** CALL, CALLCODE, DELEGATECALL, STATICCALL -> depth on the stack of the memory offset for the return data */
const RETURN_PLACE: Readonly<Record<number, number>> = { 241: 5, 242: 5, 244: 4, 250: 4 };
/** CALLDATACOPY, CODECOPY, RETURNDATACOPY, MCOPY: their arguments are destination, source, length */
const COPIES = new Set([0x37, 0x39, 0x3e, 0x5e]);
const EXTCODECOPY = 0x3c;
const MLOAD = 0x51;
const MSTORE = 0x52;
const MSTORE8 = 0x53;
/** STOP, copies, POP, stores, jumps, LOG0 to LOG4, RETURN, REVERT, INVALID, SELFDESTRUCT */
const PUSH_NOTHING = new Set([
  ...[0x00, EXTCODECOPY, ...COPIES, 0x50, MSTORE, MSTORE8, SSTORE, 0x56, 0x57, 0x5b, 0x5d],
  ...[0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xf3, 0xfd, 0xfe, 0xff],
]);
const DUP1 = 0x80;
const SWAP1 = 0x90;
const LOG0 = 0xa0;

/** Records each operation and its result, as OpenEthereum's vmTrace does. Makes the run ten times as slow. */
export class VmRecorder implements Tracer, OpcodeObserver {
  readonly #onOperation: () => void;
  readonly #open: OpenFrame[] = [];
  #pauses: Pauses | undefined;
  #root: VmFrame = { code: new Uint8Array(), operations: [] };

  /** @param onOperation called for each operation; an error it throws ends the run */
  constructor(onOperation: () => void) {
    this.#onOperation = onOperation;
  }

  /** The outermost frame; it has no operations when no code ran. */
  get root(): VmFrame {
    return this.#root;
  }

  attach(evm: DevnetEVM): () => void {
    this.#pauses = evm.turns;
    return evm.watch({
      observer: this,
      before: (message) => this.#enter(message),
      after: (result) => this.#exit(result),
      step: (data) => this.#step(data),
    });
  }

  beforeCall(opcode: number, { messageGasLimit = 0n }: RunState): void {
    const last = this.#open.at(-1)?.last;
    if (last && opcode in RETURN_PLACE) last.operation.cost += messageGasLimit;
  }

  #step({ opcode, pc, cost, gasLeft, stack, memory }: OpcodeStep): undefined {
    const open = this.#open.at(-1);
    if (!open) return;
    this.#onOperation();
    finish(open, gasLeft, stack, memory);
    this.#pauses?.hold(OPERATION_BYTES + (open.last?.operation.effect?.written?.data.length ?? 0));
    const operation = { pc, name: opcode.name, cost };
    open.operations.push(operation);
    open.last = { operation, code: opcode.code, stack };
  }

  #enter(message: EngineMessage): void {
    this.#open.push({ message, operations: [] });
  }

  /** Reads the code only now, since the message gets it after it was sent. */
  #exit({ execResult: { exceptionError, executionGasUsed } }: EVMResult): void {
    const open = this.#open.pop();
    if (!open) return;
    const { code, gasLimit, isCompiled } = open.message;
    if (!exceptionError || exceptionError.error === 'revert')
      finish(open, gasLimit - executionGasUsed, [], new Uint8Array());
    const frame = {
      code: code instanceof Uint8Array ? code : new Uint8Array(),
      operations: open.operations,
    };
    const caller = this.#open.at(-1)?.last?.operation;
    if (this.#open.length === 0) this.#root = frame;
    else if (caller && !isCompiled) caller.inner = frame;
  }
}

/** Completes the last operation from the state of the EVM after it. */
function finish({ last }: OpenFrame, gasLeft: bigint, stack: readonly bigint[], memory: Uint8Array): void {
  if (!last) return;
  const { code, stack: before, operation } = last;
  const count = pushedBy(code);
  const range = writtenBy(code, before);
  operation.effect = {
    gasLeft,
    pushed: count === 0 ? [] : stack.slice(-count),
    ...(range && { written: { offset: range[0], data: memory.slice(range[0], range[0] + range[1]) } }),
    ...(code === SSTORE && { stored: { slot: before.at(-1) ?? 0n, value: before.at(-2) ?? 0n } }),
  };
}

function pushedBy(code: number): number {
  if (code >= DUP1 && code < LOG0) return (code < SWAP1 ? code - DUP1 : code - SWAP1) + 2;
  return PUSH_NOTHING.has(code) ? 0 : 1;
}

/** @returns offset and length of the memory that an operation accesses; includes MLOAD, as in OpenEthereum */
function writtenBy(code: number, stack: readonly bigint[]): readonly [number, number] | undefined {
  const at = (depth: number) => Number(stack.at(-1 - depth) ?? 0n);
  const range = (offset: number, length: number) => (length === 0 ? undefined : ([offset, length] as const));
  if (code === MSTORE || code === MLOAD) return range(at(0), 32);
  if (code === MSTORE8) return range(at(0), 1);
  if (COPIES.has(code)) return range(at(0), at(2));
  if (code === EXTCODECOPY) return range(at(1), at(3));
  const place = RETURN_PLACE[code];
  return place === undefined ? undefined : range(at(place), at(place + 1));
}
