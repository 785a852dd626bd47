import type { Message as EngineMessage, EVMResult, InterpreterStep } from '@ethereumjs/evm';
import type { Address } from '@ethereumjs/util';
import { integerOf, integerWord } from '../../state/integers.ts';
import type { DevnetEVM, OpcodeObserver, RunState } from '../devnet-evm.ts';
import type { Tracer } from '../engine.ts';

export interface StepOptions {
  readonly memory: boolean;
  readonly stack: boolean;
  /** at SLOAD and SSTORE, as in geth, or at each step */
  readonly storage: 'at accesses' | 'always' | false;
  readonly returnData: boolean;
  /** steps to keep; 0 = all */
  readonly limit: number;
}

/** The machine before an opcode. Words are shared between steps: they are not copied for each. */
export interface Step {
  readonly pc: number;
  /** geth's name */
  readonly op: string;
  readonly gas: bigint;
  gasCost: bigint;
  /** 1 for the outermost frame */
  readonly depth: number;
  readonly refund: bigint;
  /** bottom first */
  readonly stack?: readonly bigint[];
  readonly memory?: Uint8Array;
  readonly returnData?: Uint8Array;
  /** slots of the contract seen until here */
  readonly storage?: ReadonlyMap<bigint, bigint>;
  error?: string;
}

/** Where the steps of a run go. */
export interface StepSink {
  /** A step that changes no more; called in order. */
  write(step: Step): void;
  /**
   * Called at each step, also past the limit; the run goes on when what it returns is settled.
   * @throws, or rejects, to end the run with this error
   */
  pause(): Promise<void> | undefined;
}

/** The gas of the callee is part of what these cost, in geth's eyes: CALL, CALLCODE, DELEGATECALL, STATICCALL. */
const CALLS = new Set([0xf1, 0xf2, 0xf4, 0xfa]);
/** Found by geth before an opcode runs, and so shown with its step; what goes wrong within is not. */
const BEFORE_RUN = new Set(['out of gas', 'stack underflow', 'stack overflow']);

/** What ends a frame that goes well. */
const ENDS = new Set(['STOP', 'RETURN', 'SELFDESTRUCT']);

/** What is kept of the engine's event. */
type StepData = Pick<InterpreterStep, 'pc' | 'gasLeft' | 'gasRefund' | 'stack' | 'depth' | 'memory'> & {
  readonly opcode: { readonly name: string; readonly fee: number; readonly dynamicFee?: bigint };
};

interface OpenFrame {
  readonly message: EngineMessage;
  last: Step | undefined;
}

/** Sees each step of a run, as geth's struct logger does, and keeps none. Slows the run ten times. */
export class StepRecorder implements Tracer, OpcodeObserver {
  readonly #options: StepOptions;
  readonly #sink: StepSink;
  readonly #frames: OpenFrame[] = [];
  readonly #storage = new Map<string, ReadonlyMap<bigint, bigint>>();
  /** The latest step: what it costs and how it fails is known only when the next one, or the end, is there. */
  #open: Step | undefined;
  #count = 0;
  #runState: RunState | undefined;
  #returned: Uint8Array = new Uint8Array(0);

  constructor(options: StepOptions, deps: { sink: StepSink }) {
    this.#options = options;
    this.#sink = deps.sink;
  }

  attach(evm: DevnetEVM): () => void {
    // Where a slot is fetched, or the reader of the steps is slow, the step takes that long.
    const endSteps = evm.onStep((data) => this.#step(data, evm));
    const detach = evm.watch(
      this,
      (message) => this.#enter(message),
      (result) => this.#exit(result),
    );
    return () => {
      endSteps();
      detach();
      this.#close();
    };
  }

  beforeCall(opcode: number, runState: RunState): void {
    const last = this.#frames.at(-1)?.last;
    if (last && CALLS.has(opcode)) last.gasCost += runState.messageGasLimit ?? 0n;
    this.#runState = runState;
  }

  afterCall(): void {
    // The depth limit and a missing balance leave the caller without return data and send no message.
    this.#returned = this.#runState?.returnBytes ?? this.#returned;
  }

  log(): void {}
  selfdestruct(): void {}

  #enter(message: EngineMessage): void {
    this.#frames.push({ message, last: undefined });
    this.#returned = new Uint8Array(0);
  }

  #exit({ execResult }: EVMResult): void {
    const frame = this.#frames.pop();
    const last = frame?.last;
    const error = execResult.exceptionError?.error;
    if (frame && last && !execResult.exceptionError && !ENDS.has(last.op))
      this.#keepStop(frame, execResult.runState);
    if (last && error !== undefined && BEFORE_RUN.has(error)) {
      // Running out of gas when the code of a creation is paid for is not the fault of its RETURN.
      if (last.op !== 'RETURN' || last.gasCost > last.gas)
        last.error = error === 'stack overflow' ? 'stack limit reached 1024 (1023)' : error;
    }
  }

  /** Code that just ends stops as if STOP stood there (yellow paper 9.4.1); geth shows it, the engine doesn't run it. */
  #keepStop(frame: OpenFrame, runState: RunState | undefined): void {
    const { limit } = this.#options;
    if (!runState || (limit > 0 && this.#count >= limit)) return;
    const { programCounter: pc, gasLeft, gasRefund, env, memory, memoryWordCount } = runState;
    const stop = {
      pc,
      gasLeft,
      gasRefund,
      stack: runState.stack.getStack(),
      // The frame's environment lies flat on the state that a run leaves behind.
      depth: env?.depth ?? frame.message.depth,
      memory: memory.read(0, 32 * Number(memoryWordCount)).slice(),
      opcode: { name: 'STOP', fee: 0 },
    };
    this.#keep(frame, stop, this.#seenBefore(env?.address ?? frame.message.to));
  }

  #step(data: InterpreterStep, evm: DevnetEVM): Promise<void> | undefined {
    const { limit } = this.#options;
    const frame = this.#frames.at(-1);
    if (!frame) return undefined;
    frame.last = undefined;
    const fetched = limit > 0 && this.#count >= limit ? undefined : this.#record(frame, data, evm);
    return fetched ? fetched.then(() => this.#sink.pause()) : this.#sink.pause();
  }

  #record(frame: OpenFrame, data: InterpreterStep, evm: DevnetEVM): Promise<void> | undefined {
    const { storage } = this.#options;
    const { code } = data.opcode;
    if (!storage || (code !== 0x54 && code !== 0x55) || data.stack.length === 0) {
      this.#keep(frame, data, this.#seenBefore(data.address));
      return undefined;
    }
    const slot = data.stack.at(-1)!;
    if (code === 0x55) {
      this.#keep(frame, data, this.#seen(data, slot, data.stack.at(-2) ?? 0n));
      return undefined;
    }
    const found = evm.stateManager.overlay.getStorage(data.address, integerWord(slot));
    if (!(found instanceof Promise)) {
      this.#keep(frame, data, this.#seen(data, slot, integerOf(found)));
      return undefined;
    }
    return found.then((value) => this.#keep(frame, data, this.#seen(data, slot, integerOf(value))));
  }

  #seen({ address }: InterpreterStep, slot: bigint, value: bigint): ReadonlyMap<bigint, bigint> {
    const key = address.toString();
    const seen = new Map(this.#storage.get(key)).set(slot, value);
    this.#storage.set(key, seen);
    return seen;
  }

  /** What a step shows that fetches and stores nothing. */
  #seenBefore(address: Address | undefined): ReadonlyMap<bigint, bigint> | undefined {
    if (this.#options.storage !== 'always') return undefined;
    return this.#storage.get(String(address)) ?? new Map();
  }

  #keep(frame: OpenFrame, data: StepData, storage?: ReadonlyMap<bigint, bigint>): void {
    const { memory, stack, returnData } = this.#options;
    const step: Step = {
      pc: data.pc,
      op: opcodeName(data, frame.message),
      gas: data.gasLeft,
      gasCost: data.opcode.dynamicFee ?? BigInt(data.opcode.fee),
      depth: data.depth + 1,
      refund: data.gasRefund,
      ...(stack && { stack: data.stack }),
      ...(memory && { memory: data.memory }),
      ...(returnData && this.#returned.length > 0 && { returnData: this.#returned }),
      ...(storage && { storage }),
    };
    frame.last = step;
    this.#close();
    this.#open = step;
    this.#count++;
  }

  #close(): void {
    if (this.#open) this.#sink.write(this.#open);
    this.#open = undefined;
  }
}

/** geth still says DIFFICULTY, and names opcodes that don't exist by their byte. */
function opcodeName({ opcode, pc }: Pick<StepData, 'opcode' | 'pc'>, { code }: EngineMessage): string {
  if (opcode.name === 'PREVRANDAO') return 'DIFFICULTY';
  if (opcode.name !== 'INVALID' || !(code instanceof Uint8Array)) return opcode.name;
  const byte = code[pc];
  return byte === undefined || byte === 0xfe ? 'INVALID' : `opcode 0x${byte.toString(16)} not defined`;
}
