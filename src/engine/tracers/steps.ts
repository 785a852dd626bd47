import type { Address } from '@ethereumjs/util';
import { EMPTY_BYTES } from '../../state/account.ts';
import type { Pauses } from '../../turns.ts';
import type { Tracer } from '../engine.ts';
import type { ListenedRun, RunListener, RunStep, StepListener } from '../run-listener.ts';

export interface StepOptions {
  readonly memory: boolean;
  readonly stack: boolean;
  /** recorded only at SLOAD and SSTORE, as in geth, or at every step */
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
  readonly gasCost: bigint;
  /** 1 for the outermost frame */
  readonly depth: number;
  /** absent without EIP-8037 */
  readonly stateGas?: RunStep['stateGas'];
  /** including the opcode's own refund */
  readonly refund: bigint;
  /** before the opcode */
  readonly refundBefore: bigint;
  /** bottom of the stack first */
  readonly stack?: readonly bigint[];
  readonly memory?: Uint8Array;
  readonly returnData?: Uint8Array;
  /** the slots to show: the slot of this step and those of earlier steps of the same contract */
  readonly storage?: StepStorage;
  error?: string;
}

/** The storage at a step. */
export interface StepStorage {
  /** address of the contract */
  readonly contract: string;
  /** the slot that this step reads or is about to write */
  readonly access?: { readonly slot: bigint; readonly value: bigint };
}

/** Receives the steps of a run. */
export interface StepSink {
  /** Called with each step in order. The step doesn't change any more. */
  write(step: Step): void;
  /**
   * Called at each step, also beyond the limit. The run awaits the promise, and ends with its error.
   * @param pauses the pauses of the run
   */
  pause(pauses: Pauses | undefined): Promise<void> | undefined;
}

/** Errors that geth detects before an opcode runs, and shows at the opcode's step. Later errors aren't shown. */
const BEFORE_RUN = new Set(['out of gas', 'stack underflow', 'stack overflow']);
const SLOAD = 0x54;
const SSTORE = 0x55;

/** Passes each step, in the form of geth's struct logger, to a sink. */
export class StepRecorder implements Tracer, RunListener {
  readonly listener = this;
  readonly #options: StepOptions;
  readonly #sink: StepSink;
  /** the memory and the return data of the latest step; most opcodes don't change them, so steps share them */
  #memory: Uint8Array = EMPTY_BYTES;
  #returned: Uint8Array = EMPTY_BYTES;
  /** The latest step that is recorded. Its error is final only when the next step arrives or the run ends. */
  #open: Step | undefined;
  #count = 0;
  #pauses: Pauses | undefined;

  constructor(options: StepOptions, deps: { sink: StepSink }) {
    this.#options = options;
    this.#sink = deps.sink;
  }

  start({ pauses }: ListenedRun): void {
    this.#pauses = pauses;
  }

  readonly steps: StepListener = {
    step: (step) => {
      this.#close();
      const recorded = this.#isFull ? undefined : this.#record(step);
      const pause = () => this.#sink.pause(this.#pauses);
      // The run waits here if a slot has to be fetched, or if the reader of the steps is slow.
      return recorded ? recorded.then(pause) : pause();
    },
    codeEnds: (error) => {
      if (this.#open && error !== undefined && BEFORE_RUN.has(error))
        this.#open.error = error === 'stack overflow' ? 'stack limit reached 1024 (1023)' : error;
      this.#close();
      return undefined;
    },
  };

  get #isFull(): boolean {
    const { limit } = this.#options;
    return limit > 0 && this.#count >= limit;
  }

  #record(step: RunStep): Promise<void> | undefined {
    const { storage } = this.#options;
    const { opcode } = step;
    const slot = storage && (opcode === SLOAD || opcode === SSTORE) ? step.word(1) : undefined;
    if (slot === undefined) {
      this.#keep(step, storage === 'always' ? { contract: String(step.address) } : undefined);
      return undefined;
    }
    const keep = (value: bigint) => this.#keep(step, accessed(step.address, slot, value));
    const value = opcode === SSTORE ? (step.word(2) ?? 0n) : step.slotValue();
    if (value instanceof Promise) return value.then(keep);
    keep(value);
    return undefined;
  }

  #keep(step: RunStep, storage: StepStorage | undefined): void {
    const { memory, stack, returnData } = this.#options;
    if (memory) this.#memory = sharedCopy(step.memory(), this.#memory);
    if (returnData) this.#returned = sharedCopy(step.returnData(), this.#returned);
    this.#open = {
      pc: step.pc,
      op: opcodeName(step),
      gas: step.gasLeft,
      // geth includes the gas that a call passes on.
      gasCost: step.cost + step.passedGas,
      depth: step.depth + 1,
      refund: step.refund,
      refundBefore: step.refundBefore,
      ...(step.stateGas && { stateGas: step.stateGas }),
      ...(stack && { stack: step.stack() }),
      ...(memory && { memory: this.#memory }),
      ...(returnData && this.#returned.length > 0 && { returnData: this.#returned }),
      ...(storage && { storage }),
    };
    this.#count++;
  }

  #close(): void {
    if (this.#open) this.#sink.write(this.#open);
    this.#open = undefined;
  }
}

/** Returns the earlier copy if the bytes haven't changed. */
function sharedCopy(bytes: Uint8Array, copy: Uint8Array): Uint8Array {
  return Buffer.compare(bytes, copy) === 0 ? copy : bytes.slice();
}

function accessed(contract: Address, slot: bigint, value: bigint): StepStorage {
  return { contract: contract.toString(), access: { slot, value } };
}

/** geth's name of an opcode: it calls PREVRANDAO DIFFICULTY, and names unknown opcodes by their byte. */
export function opcodeName({ name, opcode }: RunStep): string {
  if (name === 'PREVRANDAO') return 'DIFFICULTY';
  return name === 'INVALID' && opcode !== 0xfe ? `opcode 0x${opcode.toString(16)} not defined` : name;
}
