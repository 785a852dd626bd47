import { decodeConsoleLog, isConsole } from '../../protocol/console-log.ts';
import { EMPTY_BYTES } from '../../state/account.ts';
import type { Pauses } from '../../turns.ts';
import type { Tracer } from '../engine.ts';
import type {
  CallEnd,
  CallListener,
  CallStart,
  ListenedRun,
  RunListener,
  StepListener,
} from '../run-listener.ts';
import { type InternalCall, InternalCalls, sizeOfCall } from './internal-calls.ts';

/** A call or creation with the program counters that it executed. */
export interface TracedMessage {
  readonly isCreation: boolean;
  /** whether the code of another account runs in the caller's storage */
  readonly isDelegated: boolean;
  /** 0 for the transaction's own message */
  readonly depth: number;
  /** the account whose code runs, or that is created: `0x` hex; `undefined` for a creation that failed before it had an address */
  readonly address: string | undefined;
  /** call data, or init code with arguments */
  readonly input: Uint8Array;
  /** wei */
  readonly value: bigint;
  /** the code that ran: empty if the account has none, or if the message ended before its first opcode */
  readonly code: Uint8Array;
  /** return data, revert data, or a new contract's code */
  readonly output: Uint8Array;
  /** in geth's words; `undefined` if the message succeeded */
  readonly error: string | undefined;
  readonly isPrecompile: boolean;
  /** program counters of the executed opcodes, in execution order */
  readonly steps: Uint32Array;
  /** the last message that this one sent, except calls of the console */
  readonly last: SentMessage | undefined;
  /** for the last call that was refused because of balance or depth: the number of opcodes executed before it */
  readonly refusedAt: number | undefined;
  /** internal function calls that were open at its end, the outermost first */
  readonly internalCalls: readonly InternalCall[];
}

export interface SentMessage {
  readonly message: TracedMessage;
  /** the number of opcodes executed before it began: the last of them sent it */
  readonly at: number;
}

/** An open message. */
interface OpenMessage {
  readonly start: CallStart;
  readonly input: Uint8Array;
  readonly isConsole: boolean;
  code: Uint8Array;
  steps: Uint32Array;
  count: number;
  last: SentMessage | undefined;
  refusedAt: number | undefined;
  readonly internal: InternalCalls;
}

/** Maximum number of steps kept per message. If there are more, the older ones are reduced to jumps. */
const MAX_STEPS = 2 ** 21;
/** Number of newest steps that are never reduced. */
const KEPT_WHOLE = 2 ** 16;
const FIRST_STEPS = 256;
const JUMP = 0x56;
const REVERTED = 'execution reverted';

/**
 * Records a run for a stack trace: the executed opcodes of the open messages and of the last message that each of them sent, and the
 * `console.log` output of contracts.
 */
export class MessageRecorder implements Tracer, RunListener {
  readonly listener = this;
  /** lines of `console.log`, including those of reverted calls */
  readonly lines: string[] = [];
  readonly #open: OpenMessage[] = [];
  /** the last code that was copied: usually the same code runs again */
  #code: Uint8Array = EMPTY_BYTES;
  #root: TracedMessage | undefined;
  #pauses: Pauses | undefined;
  /** bytes */
  #held = 0;

  /** The transaction's own message; `undefined` if nothing ran. */
  get root(): TracedMessage | undefined {
    return this.#root;
  }

  start({ pauses }: ListenedRun): void {
    this.#hold(-this.#held);
    this.#pauses = pauses;
    this.#root = undefined;
    this.#open.length = 0;
    this.lines.length = 0;
  }

  readonly calls: CallListener = {
    begin: (start) => this.#begin(start),
    end: (end) => this.#end(end),
    refuse: () => {
      const caller = this.#open.at(-1);
      if (caller) caller.refusedAt = caller.count;
    },
    log: () => {},
    selfDestruct: () => {},
  };

  readonly steps: StepListener = {
    step: (step) => {
      const message = this.#open.at(-1);
      if (!message) return undefined;
      const { pc } = step;
      const { count, code, steps } = message;
      if (count === 0) message.code = this.#copyOfCode(step.frame().code);
      else {
        const before = steps[count - 1]!;
        if (code[before] === JUMP) this.#hold(message.internal.jump(before, code, step));
        if (count === steps.length) this.#makeRoom(message);
      }
      message.steps[message.count++] = pc;
      return this.#pauses?.due ? this.#pauses.pause() : undefined;
    },
  };

  #begin(start: CallStart): void {
    const isLog = start.to !== undefined && isConsole(start.to);
    if (isLog) {
      const line = decodeConsoleLog(start.input);
      if (line !== undefined) {
        this.#hold(2 * line.length);
        this.lines.push(line);
      }
    }
    const input = isLog || start.input.length === 0 ? EMPTY_BYTES : new Uint8Array(start.input);
    const steps = new Uint32Array(FIRST_STEPS);
    this.#hold(input.length + steps.byteLength);
    this.#open.push({
      start,
      input,
      isConsole: isLog,
      code: EMPTY_BYTES,
      steps,
      count: 0,
      last: undefined,
      refusedAt: undefined,
      internal: new InternalCalls(),
    });
  }

  #end({ output, error, created, isPrecompile }: CallEnd): void {
    const {
      start,
      input,
      isConsole: isLog,
      code,
      steps,
      count,
      last,
      refusedAt,
      internal,
    } = this.#open.pop()!;
    const parent = this.#open.at(-1);
    this.#hold(-(input.length + steps.byteLength + sizeOfCalls(internal.open)));
    if (isLog && parent) return;
    const isCreation = start.to === undefined;
    const address = start.to ?? created;
    const message: TracedMessage = {
      isCreation,
      isDelegated: start.type === 'DELEGATECALL' || start.type === 'CALLCODE',
      depth: this.#open.length,
      address: address && String(address),
      input,
      value: start.value ?? 0n,
      code: isCreation && code.length === 0 ? input : code,
      // A failure other than a revert has no data, and the code of a failed creation isn't deployed.
      output: (error === undefined ? isCreation : error !== REVERTED) ? EMPTY_BYTES : new Uint8Array(output),
      error,
      isPrecompile,
      steps: steps.slice(0, count),
      last,
      refusedAt,
      // The arguments of internal calls are needed only for failures.
      internalCalls: error === undefined ? [] : internal.open,
    };
    this.#hold(sizeOf(message) - (last ? sizeOf(last.message) : 0));
    if (!parent) this.#root = message;
    else {
      if (parent.last) this.#hold(-sizeOf(parent.last.message));
      parent.last = { message, at: parent.count };
    }
  }

  #copyOfCode(code: Uint8Array): Uint8Array {
    if (Buffer.compare(code, this.#code) !== 0) {
      this.#code = new Uint8Array(code);
      this.#hold(code.length);
    }
    return this.#code;
  }

  #makeRoom(message: OpenMessage): void {
    if (message.steps.length < MAX_STEPS) {
      const grown = new Uint32Array(2 * message.steps.length);
      grown.set(message.steps);
      this.#hold(grown.byteLength - message.steps.byteLength);
      message.steps = grown;
    } else reduceToJumps(message);
  }

  #hold(bytes: number): void {
    this.#held += bytes;
    this.#pauses?.hold(bytes);
  }
}

/**
 * Reduces the older steps to the jumps and the step after each jump, which tell the open internal functions. If even these are too many,
 * keeps the newest half of them. The step of the last call is kept.
 */
function reduceToJumps(message: OpenMessage): void {
  const { steps, code, count, last } = message;
  const whole = Math.min(count - KEPT_WHOLE, last ? last.at - 1 : count);
  let kept = 0;
  for (let i = 0; i < whole; i++)
    if (code[steps[i]!] === JUMP || (i > 0 && code[steps[i - 1]!] === JUMP)) steps[kept++] = steps[i]!;
  if (kept > MAX_STEPS / 2) {
    steps.copyWithin(0, kept - MAX_STEPS / 4, kept);
    kept = MAX_STEPS / 4;
  }
  const tail = Math.min(whole, count);
  // If the last call was long ago, there may be more steps after it than can be kept.
  const from = count - tail > MAX_STEPS / 2 ? count - MAX_STEPS / 4 : tail;
  steps.copyWithin(kept, from, count);
  message.count = kept + count - from;
  if (last) message.last = from > tail ? undefined : { message: last.message, at: last.at - whole + kept };
  if (message.refusedAt !== undefined)
    message.refusedAt = message.refusedAt > from ? message.refusedAt - from + kept : undefined;
}

/** Memory that a message takes with the messages below it, in bytes. */
function sizeOf({ input, output, steps, last, internalCalls }: TracedMessage): number {
  const own = input.length + output.length + steps.byteLength + sizeOfCalls(internalCalls);
  return own + (last ? sizeOf(last.message) : 0);
}

function sizeOfCalls(calls: readonly InternalCall[]): number {
  return calls.reduce((sum, call) => sum + sizeOfCall(call), 0);
}
