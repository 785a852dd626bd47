import { EMPTY_BYTES } from '../../state/account.ts';
import type { Pauses } from '../../turns.ts';
import type { Tracer } from '../engine.ts';
import type {
  CallEnd,
  CallListener,
  ListenedRun,
  RunListener,
  RunStep,
  StepListener,
} from '../run-listener.ts';
import { MEMORY_WRITERS, memoryAccess } from './memory-access.ts';

/** The code of a frame and the operations it executed. */
export interface VmFrame {
  readonly code: Uint8Array;
  readonly operations: readonly VmOperation[];
}

export interface VmOperation {
  readonly pc: number;
  readonly name: string;
  /** for calls, including the gas passed to the callee */
  readonly cost: bigint;
  /** result of the operation; absent if it failed */
  effect?: VmEffect;
  /** the frame of the call that it made; absent for precompiles */
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
  readonly gasLimit: bigint;
  /** init code of a creation */
  readonly init: Uint8Array | undefined;
  code: Uint8Array;
  readonly operations: VmOperation[];
  last?: LastOperation;
}

/** An operation whose result isn't known yet. */
interface LastOperation {
  readonly operation: VmOperation;
  readonly code: number;
  /** offset and length of the memory that it accesses */
  readonly range: readonly [number, number] | undefined;
  readonly stored: VmEffect['stored'];
}

/** The state of the EVM after an operation. */
interface After {
  readonly gasLeft: bigint;
  /** @param n 1 = the word on top of the stack */
  word(n: number): bigint | undefined;
  memory(): Uint8Array;
}

/** Memory that a recorded operation takes besides the memory that it wrote, in bytes. */
const OPERATION_BYTES = 400;
const SSTORE = 0x55;
/** STOP, copies, POP, stores, jumps, LOG0 to LOG4, RETURN, REVERT, INVALID, SELFDESTRUCT */
const PUSH_NOTHING = new Set([
  ...[0x00, ...MEMORY_WRITERS, 0x50, SSTORE, 0x56, 0x57, 0x5b, 0x5d],
  ...[0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xf3, 0xfd, 0xfe, 0xff],
]);
const DUP1 = 0x80;
const SWAP1 = 0x90;
const LOG0 = 0xa0;

/** Records each operation and its result, as OpenEthereum's vmTrace does. */
export class VmRecorder implements Tracer, RunListener {
  readonly listener = this;
  readonly #onOperation: () => void;
  readonly #open: OpenFrame[] = [];
  #pauses: Pauses | undefined;
  #root: VmFrame = NO_FRAME;

  /** @param onOperation called for each operation; if it throws, the run ends with the error */
  constructor(onOperation: () => void) {
    this.#onOperation = onOperation;
  }

  /** The outermost frame; it has no operations if no code ran. */
  get root(): VmFrame {
    return this.#root;
  }

  start({ pauses }: ListenedRun): void {
    this.#pauses = pauses;
    this.#open.length = 0;
    this.#root = NO_FRAME;
  }

  readonly calls: CallListener = {
    begin: ({ to, gas, input }) => {
      const init = to ? undefined : input.slice();
      this.#open.push({ gasLimit: gas, init, code: EMPTY_BYTES, operations: [] });
    },
    end: (end) => this.#end(end),
    refuse: () => {},
    log: () => {},
    selfDestruct: () => {},
  };

  readonly steps: StepListener = {
    step: (step) => {
      if (!step.isBehindCode) this.#step(step);
      return undefined;
    },
  };

  #step(step: RunStep): void {
    const open = this.#open.at(-1)!;
    this.#onOperation();
    if (open.operations.length === 0) open.code = step.frame().code.slice();
    finish(open, step);
    this.#pauses?.hold(OPERATION_BYTES + (open.last?.operation.effect?.written?.data.length ?? 0));
    const { opcode } = step;
    const operation = { pc: step.pc, name: step.name, cost: step.cost + step.passedGas };
    open.operations.push(operation);
    const stored = opcode === SSTORE ? { slot: step.word(1) ?? 0n, value: step.word(2) ?? 0n } : undefined;
    open.last = { operation, code: opcode, range: memoryAccess(opcode, step), stored };
  }

  #end({ gasUsed, error, created, isPrecompile }: CallEnd): void {
    const open = this.#open.pop()!;
    const gasLeft = open.gasLimit - gasUsed;
    if (error === undefined || error === 'execution reverted') finish(open, { ...NOTHING, gasLeft });
    // A creation that couldn't begin has no code.
    const code = open.init && created ? open.init : open.code;
    const frame = { code, operations: open.operations };
    const caller = this.#open.at(-1)?.last?.operation;
    if (this.#open.length === 0) this.#root = frame;
    else if (caller && !isPrecompile) caller.inner = frame;
  }
}

const NO_FRAME: VmFrame = { code: EMPTY_BYTES, operations: [] };
/** The stack and the memory of a frame that has ended. */
const NOTHING = { word: () => undefined, memory: () => EMPTY_BYTES };

/** Completes the last operation from the state of the EVM after it. */
function finish({ last }: OpenFrame, after: After): void {
  if (!last) return;
  const { code, range, stored, operation } = last;
  const pushed: bigint[] = [];
  for (let n = pushedBy(code); n > 0; n--) {
    const word = after.word(n);
    if (word !== undefined) pushed.push(word);
  }
  const [offset, length] = range ?? [];
  operation.effect = {
    gasLeft: after.gasLeft,
    pushed,
    ...(range && { written: { offset: offset!, data: after.memory().slice(offset, offset! + length!) } }),
    ...(stored && { stored }),
  };
}

function pushedBy(code: number): number {
  if (code >= DUP1 && code < LOG0) return (code < SWAP1 ? code - DUP1 : code - SWAP1) + 2;
  return PUSH_NOTHING.has(code) ? 0 : 1;
}
