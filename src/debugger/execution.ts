import type { PrefixedHexString } from '@ethereumjs/util';
import { bigIntToUnpaddedBytes } from '@ethereumjs/util';
import type { RecordedMessage, StepHistory } from '../engine/tracers/step-history.ts';
import {
  type CodeLines,
  IS_WHOLE,
  JUMPS_IN,
  JUMPS_OUT,
  type SourceLines,
} from '../stack-trace/code-lines.ts';
import { inTurns, type Pauses } from '../turns.ts';

/** A call within an execution: a message, or a call of an internal function. */
export interface CallNode {
  /** `index` in the list of calls, which is in the order of their beginnings; `parent` is the caller's index, -1 = none */
  readonly index: number;
  readonly parent: number;
  readonly depth: number;
  readonly message: RecordedMessage;
  /** index in the list of functions; -1 for a message */
  readonly fn: number;
  /** the first step; `end` is the index after the last step */
  readonly first: number;
  end: number;
}

/** The source position of a step. */
export interface SourcePlace {
  /** index in the list of files */
  readonly file: number;
  /** line number, from 1 */
  readonly line: number;
  /** byte offsets in the file */
  readonly start: number;
  readonly end: number;
  /** index in the list of functions; -1 = none */
  readonly fn: number;
}

const JUMPDEST = 0x5b;
/** A jump to code that is no function of the source, such as a decoder that the compiler generated. */
const HELPER = -1;
const STEPS_A_LOOK = 1_024;

/** The steps of an execution, with the calls and lines that they belong to. */
export class Execution {
  readonly history: StepHistory;
  readonly sources: SourceLines;
  readonly calls: readonly CallNode[];
  /** the first steps of calls; `lines` has the first steps of lines */
  readonly callStarts: Uint32Array;
  readonly lines: Uint32Array;
  /** by step: the index of its call */
  readonly #callOf: Uint32Array;
  /** by step: the last step with a line in the same call, up to and including this step; NONE if there is none */
  readonly #placed: Uint32Array;

  private constructor(history: StepHistory, sources: SourceLines, { calls, lines, callOf, placed }: Index) {
    this.history = history;
    this.sources = sources;
    this.calls = calls;
    this.callStarts = Uint32Array.from(calls, ({ first }) => first);
    this.lines = Uint32Array.from(lines);
    this.#callOf = callOf;
    this.#placed = placed;
  }

  /** Computes the calls and lines of an execution. */
  static async of(
    history: StepHistory,
    sources: SourceLines,
    pauses: Pauses | undefined,
  ): Promise<Execution> {
    const index = new Index(history, sources);
    pauses?.hold(8 * history.length);
    await inTurns(() => index.goOn(STEPS_A_LOOK), pauses);
    return new Execution(history, sources, index);
  }

  /** Memory that the execution uses, bytes. */
  get size(): number {
    return this.history.size + 8 * this.history.length + 4 * this.lines.length;
  }

  get length(): number {
    return this.history.length;
  }

  callAt(step: number): CallNode {
    return this.calls[this.#callOf[step]!]!;
  }

  /** The active calls at a step, the outermost first. */
  stackAt(step: number): readonly CallNode[] {
    const stack: CallNode[] = [];
    for (let call: CallNode | undefined = this.callAt(step); call; call = this.calls[call.parent])
      stack.push(call);
    return stack.reverse();
  }

  /** The account whose storage the code at a step accesses, `0x` hex. */
  accountAt(step: number): PrefixedHexString | undefined {
    const { messages, message } = this.history;
    let at = messages[message[step]!]!;
    while ((at.type === 'DELEGATECALL' || at.type === 'CALLCODE') && at.parent >= 0)
      at = messages[at.parent]!;
    return at.to;
  }

  /** The account's storage slots that the execution has written before a step, without writes that were rolled back; values as bytes. */
  writtenAt(step: number, account: string): ReadonlyMap<bigint, Uint8Array> {
    const written = new Map<bigint, Uint8Array>();
    for (const { address, slot, before, value, step: at, undoneAt } of this.history.writes)
      if (address === account && before !== undefined && at < step && undoneAt > step)
        written.set(slot, bigIntToUnpaddedBytes(value));
    return written;
  }

  opcodeAt(step: number): number {
    const { history } = this;
    return history.codes[history.messages[history.message[step]!]!.code]!.code[history.pc[step]!] ?? 0;
  }

  linesAt(step: number): CodeLines | undefined {
    const { history, sources } = this;
    return sources.codes[history.messages[history.message[step]!]!.code];
  }

  /** The line of a step. A step without a line has the line of the last step before it in the same call. */
  placeAt(step: number): SourcePlace | undefined {
    const placed = this.#placed[step]!;
    return placed === NONE ? undefined : this.ownPlace(placed);
  }

  /** The line to which the step's opcode itself is mapped. */
  ownPlace(step: number): SourcePlace | undefined {
    const lines = this.linesAt(step);
    const pc = this.history.pc[step]!;
    const line = lines?.line[pc];
    if (!lines || !line) return undefined;
    return { file: lines.file[pc]!, line, start: lines.start[pc]!, end: lines.end[pc]!, fn: lines.fn[pc]! };
  }
}

const NONE = 0xffff_ffff;

/** Computes calls and lines in one pass over the steps. */
class Index {
  readonly calls: CallNode[] = [];
  readonly lines: number[] = [];
  readonly callOf: Uint32Array;
  readonly placed: Uint32Array;
  readonly #history: StepHistory;
  readonly #sources: SourceLines;
  /** by message: the active calls and helpers in it, and its last step */
  readonly #open = new Map<number, { readonly stack: number[]; last: number }>();
  /** by call: file and line of its current line, and its last step with a line */
  readonly #line = new Map<number, { key: number; placed: number; hasBegun: boolean }>();
  #at = 0;

  constructor(history: StepHistory, sources: SourceLines) {
    this.#history = history;
    this.#sources = sources;
    this.callOf = new Uint32Array(history.length);
    this.placed = new Uint32Array(history.length);
  }

  /** @returns whether there are more steps */
  goOn(steps: number): boolean {
    const end = Math.min(this.#history.length, this.#at + steps);
    while (this.#at < end) this.#step(this.#at++);
    return this.#at < this.#history.length;
  }

  #step(i: number): void {
    const { messages, message: messageOf, pc, codes } = this.#history;
    const message = messages[messageOf[i]!]!;
    const lines = this.#sources.codes[message.code];
    let open = this.#open.get(message.index);
    if (!open) {
      const parent = message.at < 0 ? -1 : this.callOf[message.at]!;
      this.#forget(parent);
      open = { stack: [this.#begin(message, parent, -1, i)], last: -1 };
      this.#open.set(message.index, open);
    } else if (lines) this.#follow(i, message, lines, codes[message.code]!.code[pc[i]!] === JUMPDEST, open);
    open.last = i;
    const call = open.stack.findLast((each) => each !== HELPER)!;
    this.callOf[i] = call;
    this.calls[call]!.end = i + 1;
    this.#place(i, call, lines, open.stack.at(-1) === HELPER);
    if (i + 1 >= message.end) this.#open.delete(message.index);
  }

  /** Handles a jump into a function, or out of one. */
  #follow(
    i: number,
    message: RecordedMessage,
    lines: CodeLines,
    isTarget: boolean,
    { stack, last }: { readonly stack: number[]; last: number },
  ): void {
    const { pc } = this.#history;
    const before = lines.flags[pc[last]!]! & (JUMPS_IN | JUMPS_OUT);
    if (before === JUMPS_IN && isTarget) {
      const isFunction = (lines.flags[pc[i]!]! & IS_WHOLE) !== 0;
      const caller = this.callOf[last]!;
      if (isFunction) this.#forget(caller);
      stack.push(isFunction ? this.#begin(message, caller, lines.fn[pc[i]!]!, i) : HELPER);
    } else if (before === JUMPS_OUT && stack.length > 1) stack.pop();
  }

  #begin(message: RecordedMessage, parent: number, fn: number, first: number): number {
    const index = this.calls.length;
    const depth = parent < 0 ? 0 : this.calls[parent]!.depth + 1;
    this.calls.push({ index, parent, depth, message, fn, first, end: first + 1 });
    this.#line.set(index, { key: 0, placed: NONE, hasBegun: false });
    return index;
  }

  /** Makes the call's next step begin a line even on the same line, because another call ran in between. */
  #forget(call: number): void {
    const state = this.#line.get(call);
    if (state) state.key = 0;
  }

  #place(i: number, call: number, lines: CodeLines | undefined, isHelper: boolean): void {
    const state = this.#line.get(call)!;
    const pc = this.#history.pc[i]!;
    const line = lines?.line[pc] ?? 0;
    // After its body a function's code is mapped to the function's whole range again: that isn't a line.
    const isPlace =
      line > 0 &&
      !isHelper &&
      !(lines!.flags[pc]! & IS_WHOLE && (state.hasBegun || this.calls[call]!.fn < 0));
    if (isPlace) {
      state.hasBegun = true;
      state.placed = i;
      // File and line in one number.
      const key = (lines!.file[pc]! + 1) * 2 ** 24 + line;
      if (key !== state.key) {
        state.key = key;
        this.lines.push(i);
      }
    }
    this.placed[i] = state.placed;
  }
}
