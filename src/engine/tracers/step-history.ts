import type { PrefixedHexString } from '@ethereumjs/util';
import { OPCODES } from '../../core/tables/opcodes.ts';
import type { Log } from '../../protocol/types.ts';
import { EMPTY_BYTES } from '../../state/account.ts';
import type { Pauses } from '../../turns.ts';
import type { Tracer } from '../engine.ts';
import type {
  CallEnd,
  CallListener,
  CallStart,
  CallType,
  ListenedRun,
  RunListener,
  RunStep,
  StepListener,
} from '../run-listener.ts';
import { memoryAccess } from './memory-access.ts';

/** A call or creation of a run. */
export interface RecordedMessage {
  /** index in the list of messages, and the index of the message that made this one; -1 = none */
  readonly index: number;
  readonly parent: number;
  /** the parent's step that made it; -1 for the transaction's own message */
  readonly at: number;
  readonly type: CallType;
  /** `0x` hex: the account whose code runs; for a creation the new account, if it has an address */
  to: PrefixedHexString | undefined;
  /** call data, or init code with arguments */
  readonly input: Uint8Array;
  /** wei */
  readonly value: bigint;
  /** index in the list of codes; -1 if no code ran */
  code: number;
  /** its first step, and the step after its last one, including the messages that it made; equal if it has no steps */
  readonly first: number;
  end: number;
  /** its last own step; -1 = none */
  last: number;
  /** gas that the calling messages keep, that is, don't pass on */
  readonly keptGas: number;
  /** in geth's words */
  error: string | undefined;
  output: Uint8Array;
}

/** A code that ran. */
export interface RecordedCode {
  readonly code: Uint8Array;
  readonly isCreation: boolean;
}

/** An effect of a step that a failure may roll back. */
interface Undoable {
  readonly step: number;
  /** `0x` hex */
  readonly address: PrefixedHexString;
  /** the step from which on it is rolled back; Infinity = never */
  undoneAt: number;
}

export interface RecordedWrite extends Undoable {
  readonly slot: bigint;
  /** `undefined` for transient storage (EIP-1153) */
  readonly before: bigint | undefined;
  readonly value: bigint;
}

export interface RecordedLog extends Undoable {
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/** Stack and memory of a message before one of its steps. */
export interface Keyframe {
  readonly step: number;
  readonly stack: readonly bigint[];
  readonly memory: Uint8Array;
}

interface OpenMessage {
  readonly message: RecordedMessage;
  /** indexes at which its writes and logs begin */
  readonly writes: number;
  readonly logs: number;
  /** own steps since the last keyframe */
  steps: number;
  opcode: number;
  /** height of the stack before the last own step */
  height: number;
  /** memory that the last own step writes: offset and length */
  range: readonly [number, number] | undefined;
  gasLeft: number;
  cost: number;
}

/** Maximum number of steps of a run that are kept, and of bytes for their effects. Later steps are discarded. */
const MAX_STEPS = 2 ** 21;
const MAX_BYTES = 96 * 2 ** 20;
const MAX_MESSAGES = 2 ** 17;
const FIRST_STEPS = 1_024;
/** A message's own steps between two keyframes; more if it has a large memory. */
const STEPS_A_KEYFRAME = 2_048;
/** Bytes of memory whose copy takes as long as replaying one step. */
const BYTES_A_STEP = 32;
const STEP_BYTES = 24;

const MLOAD = 0x51;
const SSTORE = 0x55;
const TSTORE = 0x5d;
const PUSH0 = 0x5f;
const SWAP16 = 0x9f;

/** Change of the stack height by an opcode, and whether it pushes a word that is neither in the code nor on the stack. */
const GROWS = new Int8Array(256);
const COMPUTES = new Uint8Array(256);
/** Opcodes after which the whole stack is kept: those with an immediate byte, and those that the table doesn't have. */
const KEEPS = new Uint8Array(256).fill(1);
for (const { code, pops, pushes } of OPCODES) {
  GROWS[code] = pushes - pops;
  COMPUTES[code] = pushes === 1 && (code < PUSH0 || code > SWAP16) ? 1 : 0;
  KEEPS[code] = pushes > 1 && (code < PUSH0 || code > SWAP16) ? 1 : 0;
}

/** Encoding of a step's effect: a byte with the length of the pushed word, or NO_WORD, plus WRITES if written memory follows. */
export const NO_WORD = 0x3f;
export const WRITES = 0x40;
/** For a step without effects beyond those known from the code. */
export const NOTHING = 0xffff_ffff;

/**
 * Keeps every step of a run, so that stack and memory before any step can be reconstructed quickly: the step's program counter and gas, and
 * its effects on stack and memory. Takes about 30 bytes per step.
 */
export class StepHistory implements Tracer, RunListener {
  readonly listener = this;
  /** indexed by step */
  pc = new Uint32Array(FIRST_STEPS);
  /** gas that is left before the step */
  gas = new Float64Array(FIRST_STEPS);
  /** size of the memory before the step, in bytes */
  memorySize = new Uint32Array(FIRST_STEPS);
  /** index in the list of messages */
  message = new Uint32Array(FIRST_STEPS);
  /** offset of the step's effects in {@link StepHistory.bytes} */
  did = new Uint32Array(FIRST_STEPS);
  bytes = Buffer.alloc(FIRST_STEPS);
  length = 0;
  readonly messages: RecordedMessage[] = [];
  readonly codes: RecordedCode[] = [];
  readonly writes: RecordedWrite[] = [];
  readonly logs: RecordedLog[] = [];
  /** by message index, the earliest first */
  readonly keyframes = new Map<number, Keyframe[]>();
  /** whether there were more steps than can be kept */
  isCut = false;
  #used = 0;
  #open: OpenMessage[] = [];
  #codeOf = new Map<string, number>();
  #pauses: Pauses | undefined;
  #held = 0;

  start({ pauses }: ListenedRun): void {
    pauses?.hold(-this.#held);
    this.#held = 0;
    this.#pauses = pauses;
    this.length = 0;
    this.#used = 0;
    this.isCut = false;
    for (const list of [this.messages, this.codes, this.writes, this.logs, this.#open]) list.length = 0;
    this.keyframes.clear();
    this.#codeOf.clear();
  }

  /** Memory used, in bytes. */
  get size(): number {
    return this.#held;
  }

  readonly calls: CallListener = {
    begin: (start) => this.#begin(start),
    end: (end) => this.#end(end),
    refuse: () => {},
    log: (log) => this.#log(log),
    selfDestruct: () => {},
  };

  readonly steps: StepListener = {
    step: (step) => this.#step(step) ?? (this.#pauses?.due ? this.#pauses.pause() : undefined),
  };

  #begin(start: CallStart): void {
    if (this.isCut) return;
    const caller = this.#open.at(-1);
    const gas = Number(start.gas);
    const message: RecordedMessage = {
      index: this.messages.length,
      parent: caller?.message.index ?? -1,
      at: caller ? this.length - 1 : -1,
      type: start.type,
      to: start.to?.toString(),
      input: start.input.length === 0 ? EMPTY_BYTES : new Uint8Array(start.input),
      value: start.value ?? 0n,
      code: -1,
      first: this.length,
      end: this.length,
      last: -1,
      keptGas: caller ? caller.message.keptGas + caller.gasLeft - caller.cost - gas : 0,
      error: undefined,
      output: EMPTY_BYTES,
    };
    this.#hold(message.input.length + 200);
    this.messages.push(message);
    this.#open.push({
      message,
      writes: this.writes.length,
      logs: this.logs.length,
      steps: 0,
      opcode: 0,
      height: 0,
      range: undefined,
      gasLeft: 0,
      cost: 0,
    });
    if (this.messages.length >= MAX_MESSAGES) this.#cut();
  }

  #end({ output, error, created }: CallEnd): void {
    if (this.isCut) return;
    const { message, writes, logs } = this.#open.pop()!;
    message.end = this.length;
    message.to ??= created?.toString();
    message.error = error;
    message.output = output.length === 0 ? EMPTY_BYTES : new Uint8Array(output);
    this.#hold(message.output.length);
    if (error !== undefined)
      for (const list of [this.writes.slice(writes), this.logs.slice(logs)])
        for (const each of list) if (each.undoneAt === Number.POSITIVE_INFINITY) each.undoneAt = this.length;
    if (this.#open.length === 0) this.#trim();
  }

  #log({ address, topics, data }: Log): void {
    if (this.isCut) return;
    this.logs.push({
      step: this.length - 1,
      address: address.toString(),
      undoneAt: Number.POSITIVE_INFINITY,
      topics: topics.map((topic) => new Uint8Array(topic)),
      data: new Uint8Array(data),
    });
    this.#hold(data.length + 200);
  }

  #step(step: RunStep): Promise<void> | undefined {
    const open = this.#open.at(-1);
    if (this.isCut || !open) return undefined;
    const { message } = open;
    if (message.last < 0) message.code = this.#codeFor(step, message);
    else this.#finish(open, step);
    if (this.isCut || this.length === MAX_STEPS || this.#used > MAX_BYTES) return this.#cut();
    if (this.length === this.pc.length) this.#grow();
    const i = this.length++;
    const memory = step.memory();
    const { opcode } = step;
    this.pc[i] = step.pc;
    open.gasLeft = Number(step.gasLeft);
    this.gas[i] = open.gasLeft;
    this.memorySize[i] = memory.length;
    this.message[i] = message.index;
    this.did[i] = NOTHING;
    const isDue = ++open.steps >= STEPS_A_KEYFRAME && open.steps * BYTES_A_STEP >= memory.length;
    if (isDue || (message.last >= 0 && KEEPS[open.opcode])) this.#keep(open, step, i, memory);
    message.last = i;
    open.opcode = opcode;
    open.height = step.stackHeight;
    open.range = opcode === MLOAD ? undefined : memoryAccess(opcode, step);
    if (opcode >= 0xf0) open.cost = Number(step.cost);
    if (opcode === SSTORE || opcode === TSTORE) return this.#write(step, i);
    return undefined;
  }

  #write(step: RunStep, at: number): Promise<void> | undefined {
    const slot = step.word(1);
    const value = step.word(2);
    if (slot === undefined || value === undefined) return undefined;
    const address = step.address.toString();
    const add = (before: bigint | undefined) => {
      this.#hold(250);
      this.writes.push({ step: at, address, undoneAt: Number.POSITIVE_INFINITY, slot, before, value });
    };
    const before = step.opcode === SSTORE ? step.slotValue() : undefined;
    if (before instanceof Promise) return before.then(add);
    add(before);
    return undefined;
  }

  /** Records the effects of a message's last own step, which `step` follows. */
  #finish({ message, opcode, height, range }: OpenMessage, step: RunStep): void {
    const isComputed = COMPUTES[opcode] === 1 && step.stackHeight === height + GROWS[opcode]!;
    if (!isComputed && !range) return;
    this.did[message.last] = this.#used;
    const length = range?.[1] ?? 0;
    this.#reserve(41 + length);
    const at = this.#used++;
    let head = NO_WORD;
    if (isComputed) {
      const before = this.#used;
      this.#writeWord(step.word(1)!);
      head = this.#used - before;
    }
    if (range) {
      head |= WRITES;
      this.#used = this.bytes.writeUInt32BE(range[0], this.#used);
      this.#used = this.bytes.writeUInt32BE(length, this.#used);
      this.bytes.set(step.memory().subarray(range[0], range[0] + length), this.#used);
      this.#used += length;
    }
    this.bytes[at] = head;
  }

  #writeWord(word: bigint): void {
    if (word <= 0xffff_ffffn) {
      let number = Number(word);
      const length = number === 0 ? 0 : (39 - Math.clz32(number)) >> 3;
      for (let i = length - 1; i >= 0; i--) {
        this.bytes[this.#used + i] = number & 0xff;
        number >>>= 8;
      }
      this.#used += length;
      return;
    }
    const digits = word.toString(16);
    this.#used += this.bytes.write(digits.length % 2 ? `0${digits}` : digits, this.#used, 'hex');
  }

  #keep(open: OpenMessage, step: RunStep, at: number, memory: Uint8Array): void {
    open.steps = 0;
    const stack = step.stack();
    this.#hold(memory.length + 56 * stack.length);
    const list = this.keyframes.get(open.message.index);
    const keyframe = { step: at, stack, memory: new Uint8Array(memory) };
    if (list) list.push(keyframe);
    else this.keyframes.set(open.message.index, [keyframe]);
  }

  #codeFor(step: RunStep, { to, type }: RecordedMessage): number {
    const { code } = step.frame();
    const isCreation = type === 'CREATE' || type === 'CREATE2';
    const key = `${type[1]} ${to} ${code.length}`;
    const known = this.#codeOf.get(key);
    if (known !== undefined && Buffer.compare(this.codes[known]!.code, code) === 0) return known;
    this.#codeOf.set(key, this.codes.length);
    this.#hold(code.length);
    return this.codes.push({ code: new Uint8Array(code), isCreation }) - 1;
  }

  /** Stops recording: open messages end here. */
  #cut(): undefined {
    this.isCut = true;
    for (const { message } of this.#open) message.end = this.length;
    this.#open = [];
    this.#trim();
  }

  #grow(): void {
    const length = 2 * this.pc.length;
    this.#hold(STEP_BYTES * this.pc.length);
    this.#resize(length);
  }

  #resize(length: number): void {
    const size = Math.min(length, this.length);
    const to = <T extends Uint32Array | Float64Array>(all: T, empty: T): T => {
      empty.set(all.subarray(0, size));
      return empty;
    };
    this.pc = to(this.pc, new Uint32Array(length));
    this.gas = to(this.gas, new Float64Array(length));
    this.memorySize = to(this.memorySize, new Uint32Array(length));
    this.message = to(this.message, new Uint32Array(length));
    this.did = to(this.did, new Uint32Array(length));
  }

  #trim(): void {
    this.#hold(STEP_BYTES * (this.length - this.pc.length));
    this.#resize(this.length);
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, this.#used + bytes));
    this.bytes.copy(grown, 0, 0, this.#used);
    this.#hold(grown.length - this.bytes.length);
    this.bytes = grown;
  }

  #hold(bytes: number): void {
    this.#held += bytes;
    this.#pauses?.hold(bytes);
    if (this.#held > 2 * MAX_BYTES && !this.isCut) this.#cut();
  }
}
