import type { Message as EngineMessage, EVMResult } from '@ethereumjs/evm';
import type { Address } from '@ethereumjs/util';
import { integerOf, integerWord } from '../../state/integers.ts';
import type { Pauses } from '../../turns.ts';
import type { DevnetEVM, OpcodeObserver } from '../devnet-evm.ts';
import type { Tracer } from '../engine.ts';
import type { OpcodeStep, RunState } from '../watched-opcodes.ts';

export interface StepOptions {
  readonly memory: boolean;
  readonly stack: boolean;
  /** recorded at SLOAD and SSTORE only, as in geth, or at each step */
  readonly storage: 'at accesses' | 'always' | false;
  readonly returnData: boolean;
  /** number of steps to record; 0 = all */
  readonly limit: number;
}

/** The state of the EVM before an opcode. Words are shared between steps, not copied for each. */
export interface Step {
  readonly pc: number;
  /** opcode name as in geth */
  readonly op: string;
  readonly gas: bigint;
  gasCost: bigint;
  /** 1 for the outermost frame */
  readonly depth: number;
  /** with that of the opcode itself */
  readonly refund: bigint;
  /** before the opcode */
  readonly refundBefore: bigint;
  /** bottom of the stack first */
  readonly stack?: readonly bigint[];
  readonly memory?: Uint8Array;
  readonly returnData?: Uint8Array;
  /** which of the slots that were accessed so far are shown; the others are those of earlier steps */
  readonly storage?: StepStorage;
  error?: string;
}

/** The storage at a step. */
export interface StepStorage {
  /** its address */
  readonly contract: string;
  /** what this step reads, or is about to write */
  readonly access?: { readonly slot: bigint; readonly value: bigint };
}

/** Receives the steps of a run. */
export interface StepSink {
  /** Called with each step in order. The step doesn't change any more. */
  write(step: Step): void;
  /**
   * Called at each step, also beyond the limit. The run waits for the promise, and ends with its error.
   * @param pauses of the run
   */
  pause(pauses: Pauses | undefined): Promise<void> | undefined;
}

/** geth includes the gas passed to the callee in the cost of these: CALL, CALLCODE, DELEGATECALL, STATICCALL. */
export const CALLS: ReadonlySet<number> = new Set([0xf1, 0xf2, 0xf4, 0xfa]);
/** Errors that geth finds before an opcode runs and shows with the opcode's step; later ones aren't shown. */
const BEFORE_RUN = new Set(['out of gas', 'stack underflow', 'stack overflow']);

/** Opcodes that end a frame without an error. */
export const ENDS: ReadonlySet<string> = new Set(['STOP', 'RETURN', 'SELFDESTRUCT']);

/** What is recorded of an opcode. */
type StepData = Omit<OpcodeStep, 'opcode' | 'address'> & { readonly opcode: { readonly name: string } };

interface OpenFrame {
  readonly message: EngineMessage;
  last: Step | undefined;
}

/** Passes each step, in the form of geth's struct logger, to a sink. Makes the run ten times as slow. */
export class StepRecorder implements Tracer, OpcodeObserver {
  readonly #options: StepOptions;
  readonly #sink: StepSink;
  readonly #frames: OpenFrame[] = [];
  /** the memory of the latest step; most opcodes don't change it, so steps share it */
  #memory: Uint8Array = new Uint8Array(0);
  /** The latest step. Its cost and error are final only when the next step arrives or the run ends. */
  #open: Step | undefined;
  #count = 0;
  #runState: RunState | undefined;
  #returned: Uint8Array = new Uint8Array(0);

  constructor(options: StepOptions, deps: { sink: StepSink }) {
    this.#options = options;
    this.#sink = deps.sink;
  }

  attach(evm: DevnetEVM): () => void {
    const detach = evm.watch({
      observer: this,
      before: (message) => this.#enter(message),
      after: (result) => this.#exit(result),
      // The run waits for this step when a slot has to be fetched or the reader of the steps is slow.
      step: (data) => this.#step(data, evm),
    });
    return () => {
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
    // When the depth limit or the balance prevents the call, no message is sent and the caller has no return data.
    this.#returned = this.#runState?.returnBytes ?? this.#returned;
  }

  #enter(message: EngineMessage): void {
    this.#frames.push({ message, last: undefined });
    this.#returned = new Uint8Array(0);
  }

  #exit({ execResult }: EVMResult): void {
    const frame = this.#frames.pop();
    const last = frame?.last;
    const error = execResult.exceptionError?.error;
    if (frame && last && !execResult.exceptionError && !ENDS.has(last.op)) this.#keepStop(frame, execResult);
    if (last && error !== undefined && BEFORE_RUN.has(error)) {
      // If the gas can't pay for storing the new contract's code, its RETURN isn't at fault.
      if (last.op !== 'RETURN' || last.gasCost > last.gas)
        last.error = error === 'stack overflow' ? 'stack limit reached 1024 (1023)' : error;
    }
  }

  /** Code that ends without STOP behaves as if STOP followed (yellow paper 9.4.1): geth shows this STOP. */
  #keepStop(frame: OpenFrame, { runState, gasRefund = 0n }: EVMResult['execResult']): void {
    const { limit } = this.#options;
    if (!runState || (limit > 0 && this.#count >= limit)) return;
    const { programCounter: pc, gasLeft, env, memory, memoryWordCount } = runState;
    const stop = {
      pc,
      gasLeft,
      gasRefund,
      refundBefore: gasRefund,
      stack: runState.stack.getStack(),
      depth: env.depth,
      memory: memory.read(0, 32 * Number(memoryWordCount), true),
      opcode: { name: 'STOP' },
      cost: 0n,
    };
    this.#keep(frame, stop, this.#seenBefore(env.address));
  }

  #step(data: OpcodeStep, evm: DevnetEVM): Promise<void> | undefined {
    const { limit } = this.#options;
    const frame = this.#frames.at(-1);
    if (!frame) return undefined;
    frame.last = undefined;
    const fetched = limit > 0 && this.#count >= limit ? undefined : this.#record(frame, data, evm);
    const pause = () => this.#sink.pause(evm.turns);
    return fetched ? fetched.then(pause) : pause();
  }

  #record(frame: OpenFrame, data: OpcodeStep, evm: DevnetEVM): Promise<void> | undefined {
    const { storage } = this.#options;
    const { code } = data.opcode;
    if (!storage || (code !== 0x54 && code !== 0x55) || data.stack.length === 0) {
      this.#keep(frame, data, this.#seenBefore(data.address));
      return undefined;
    }
    const slot = data.stack.at(-1)!;
    if (code === 0x55) {
      this.#keep(frame, data, this.#accessed(data, slot, data.stack.at(-2) ?? 0n));
      return undefined;
    }
    const stored = evm.stateManager.overlay.getStorage(data.address, integerWord(slot));
    if (!(stored instanceof Promise)) {
      this.#keep(frame, data, this.#accessed(data, slot, integerOf(stored)));
      return undefined;
    }
    return stored.then((value) => this.#keep(frame, data, this.#accessed(data, slot, integerOf(value))));
  }

  #accessed({ address }: OpcodeStep, slot: bigint, value: bigint): StepStorage {
    return { contract: address.toString(), access: { slot, value } };
  }

  /** The slots shown at steps other than SLOAD and SSTORE. */
  #seenBefore(address: Address | undefined): StepStorage | undefined {
    return this.#options.storage === 'always' ? { contract: String(address) } : undefined;
  }

  #copyOf(memory: Uint8Array): Uint8Array {
    if (Buffer.compare(memory, this.#memory) !== 0) this.#memory = memory.slice();
    return this.#memory;
  }

  #keep(frame: OpenFrame, data: StepData, storage?: StepStorage): void {
    const { memory, stack, returnData } = this.#options;
    const step: Step = {
      pc: data.pc,
      op: opcodeName(data, frame.message),
      gas: data.gasLeft,
      gasCost: data.cost,
      depth: data.depth + 1,
      refund: data.gasRefund,
      refundBefore: data.refundBefore,
      ...(stack && { stack: data.stack }),
      ...(memory && { memory: this.#copyOf(data.memory) }),
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

/** geth calls PREVRANDAO DIFFICULTY, and names unknown opcodes by their byte. */
export function opcodeName({ opcode, pc }: Pick<StepData, 'opcode' | 'pc'>, { code }: EngineMessage): string {
  if (opcode.name === 'PREVRANDAO') return 'DIFFICULTY';
  if (opcode.name !== 'INVALID' || !(code instanceof Uint8Array)) return opcode.name;
  const byte = code[pc];
  return byte === undefined || byte === 0xfe ? 'INVALID' : `opcode 0x${byte.toString(16)} not defined`;
}
