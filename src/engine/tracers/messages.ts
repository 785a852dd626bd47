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

/** A call or creation with the places in the code that it executed. */
export interface TracedMessage {
  readonly isCreation: boolean;
  /** whether another account's code runs in the storage of the caller */
  readonly isDelegated: boolean;
  /** 0 for the transaction's own */
  readonly depth: number;
  /** the account whose code runs, or that is created: `0x` hex; `undefined` for a creation that had no address yet */
  readonly address: string | undefined;
  /** call data, or init code with arguments */
  readonly input: Uint8Array;
  /** wei */
  readonly value: bigint;
  /** the code that ran: empty where the account has none, and where the message ended before its first opcode */
  readonly code: Uint8Array;
  /** return data or data of a revert; a new contract's code */
  readonly output: Uint8Array;
  /** as geth words it; `undefined` where the message succeeded */
  readonly error: string | undefined;
  readonly isPrecompile: boolean;
  /** byte offsets of the executed opcodes in the code, in their order */
  readonly steps: Uint32Array;
  /** the last message that this one sent, calls of the console aside */
  readonly last: SentMessage | undefined;
  /** how many opcodes had been executed before a call that balance or depth didn't allow: the newest such call */
  readonly refusedAt: number | undefined;
  /** calls of internal functions that were under way at its end, the outermost first */
  readonly internalCalls: readonly InternalCall[];
}

export interface SentMessage {
  readonly message: TracedMessage;
  /** how many opcodes had been executed before it began: the last of them sent it */
  readonly at: number;
}

/** A message that hasn't ended. */
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

/** Steps that are kept of one message. When there are more, what lies behind is reduced to its jumps. */
const MOST_STEPS = 2 ** 21;
/** Newest steps that are kept whole. */
const KEPT_WHOLE = 2 ** 16;
const FIRST_STEPS = 256;
const JUMP = 0x56;
const REVERTED = 'execution reverted';

/**
 * Records a run for a stack trace: of the messages that are under way, and of the last one that each of them sent, the executed
 * opcodes; and what contracts print with `console.log`.
 */
export class MessageRecorder implements Tracer, RunListener {
  readonly listener = this;
  /** lines of `console.log`, those of reverted calls included */
  readonly lines: string[] = [];
  readonly #open: OpenMessage[] = [];
  /** the code that was copied last: mostly it runs again */
  #code: Uint8Array = EMPTY_BYTES;
  #root: TracedMessage | undefined;
  #pauses: Pauses | undefined;
  /** bytes */
  #held = 0;

  /** The transaction's own message; `undefined` where nothing ran. */
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
      // Of what isn't reverted there is no data: a refused contract's code is none.
      output: (error === undefined ? isCreation : error !== REVERTED) ? EMPTY_BYTES : new Uint8Array(output),
      error,
      isPrecompile,
      steps: steps.slice(0, count),
      last,
      refusedAt,
      // Nobody asks for the arguments in what succeeded.
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
    if (message.steps.length < MOST_STEPS) {
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
 * Keeps of the older steps the jumps and what follows on each, which tell the functions that are under way; and half of these where
 * even they are too many. The last call stays where it is.
 */
function reduceToJumps(message: OpenMessage): void {
  const { steps, code, count, last } = message;
  const whole = Math.min(count - KEPT_WHOLE, last ? last.at - 1 : count);
  let kept = 0;
  for (let i = 0; i < whole; i++)
    if (code[steps[i]!] === JUMP || (i > 0 && code[steps[i - 1]!] === JUMP)) steps[kept++] = steps[i]!;
  if (kept > MOST_STEPS / 2) {
    steps.copyWithin(0, kept - MOST_STEPS / 4, kept);
    kept = MOST_STEPS / 4;
  }
  const tail = Math.min(whole, count);
  // After a call long ago there may be more than can be kept whole.
  const from = count - tail > MOST_STEPS / 2 ? count - MOST_STEPS / 4 : tail;
  steps.copyWithin(kept, from, count);
  message.count = kept + count - from;
  if (last) message.last = from > tail ? undefined : { message: last.message, at: last.at - whole + kept };
  if (message.refusedAt !== undefined)
    message.refusedAt = message.refusedAt > from ? message.refusedAt - from + kept : undefined;
}

/** Bytes that a message holds with those below it. */
function sizeOf({ input, output, steps, last, internalCalls }: TracedMessage): number {
  const own = input.length + output.length + steps.byteLength + sizeOfCalls(internalCalls);
  return own + (last ? sizeOf(last.message) : 0);
}

function sizeOfCalls(calls: readonly InternalCall[]): number {
  return calls.reduce((sum, call) => sum + sizeOfCall(call), 0);
}
