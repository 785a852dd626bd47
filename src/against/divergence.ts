import { type Address, bytesToHex, equalsBytes } from '@ethereumjs/util';
import { OPCODES } from '../core/tables/opcodes.ts';
import { CALL_STIPEND } from '../engine/estimate.ts';
import type {
  CallEnd,
  CallListener,
  CallStart,
  RunListener,
  RunStep,
  StepListener,
} from '../engine/run-listener.ts';
import type { Log } from '../protocol/types.ts';
import { EMPTY_BYTES } from '../state/account.ts';
import { isSameLog } from './same-log.ts';

/** An executed opcode. */
export interface ExecutedOpcode {
  /** the account whose storage the code accesses, `0x` hex */
  readonly address: string;
  readonly pc: number;
  /** name in the yellow paper or in its EIP */
  readonly opcode: string;
  /** 0 for the code of the transaction's recipient */
  readonly depth: number;
  /** code of the frame, by which contract and source are found */
  readonly code: Uint8Array;
  /** whether the code is init code */
  readonly isCreation: boolean;
  /** program counters of this opcode and of earlier ones of its frame, the newest first, by which the source is found */
  readonly pcs: readonly number[];
}

/** An opcode that both runs have executed before they diverge. */
interface Step extends Omit<ExecutedOpcode, 'pcs'> {
  /** index of the step in both runs */
  readonly number: number;
}

/** The opcode at which two runs of a message diverge. */
export interface Divergence extends ExecutedOpcode {
  /** error with which the frame ended there by the chain's own rules, in geth's words; absent if the frame went on */
  readonly endsNow?: string | undefined;
  /** error with which the frame ended there by the other rules; absent if the frame went on */
  readonly endsThen?: string | undefined;
  /** the opcode whose result differs, if this opcode's behaviour depends on that result */
  readonly because?: ExecutedOpcode | undefined;
  /** the call whose fixed amount of gas is too small by the other rules */
  readonly given?: FixedGas | undefined;
}

/** A call that passes on a fixed amount of gas instead of all remaining gas: `{gas: 5000}`, `transfer()`, `send()`. */
export interface FixedGas extends ExecutedOpcode {
  /** gas including the stipend of a call with value */
  readonly gas: bigint;
}

/** Limit of the kept steps of a run: about 60 MB. A divergence after that isn't found. */
const MAX_STEPS = 1_000_000;

/** Limit of {@link ExecutedOpcode.pcs}. */
const MAX_PCS = 1_000;

const OPCODE_BY_CODE = new Map(OPCODES.map((opcode) => [opcode.code, opcode]));
const GAS = 0x5a;
const DUP1 = 0x80;
const SWAP1 = 0x90;
/** CALL, CALLCODE, DELEGATECALL, STATICCALL: the top of the stack is the gas to pass on. */
const CALLS = new Set([0xf1, 0xf2, 0xf4, 0xfa]);
/** CALL, CALLCODE: the third word of the stack is the value. */
const CALLS_WITH_VALUE = new Set([0xf1, 0xf2]);
/** error of a frame that ran out of gas, in geth's words */
export const OUT_OF_GAS = 'out of gas';
/** MSTORE, MSTORE8, SSTORE, TSTORE */
const STORES = new Set([0x52, 0x53, 0x55, 0x5d]);
/** KECCAK256, CALLDATALOAD, MLOAD, SLOAD, TLOAD: another opcode stored the data that they read. */
const LOADS = new Set([0x20, 0x35, 0x51, 0x54, 0x5c]);

/** The frame of a step. */
interface Frame {
  readonly isCreation: boolean;
  /** a copy; empty before the frame's first step */
  code: Uint8Array;
}

/** The recorded data of a step. */
interface RecordedStep {
  readonly pc: number;
  readonly opcode: number;
  readonly depth: number;
  readonly frame: Frame;
  /** `0x` hex */
  readonly address: string;
  /** top of the stack before the opcode */
  readonly top: bigint | undefined;
  /** error with which the frame ended after this step, if it did */
  ended?: string | undefined;
}

/** A transfer of ETH between two accounts by an opcode. */
interface Transfer {
  /** `from` and `to` as in the topics of the transfer's log (EIP-7708) */
  readonly from: Uint8Array;
  /** absent for a contract creation */
  readonly to?: Uint8Array | undefined;
  readonly maker: Step;
}

/** A log, and the number of steps before it. */
interface RecordedLog {
  readonly log: Log;
  readonly after: number;
}

/** The recording that both runs of a comparison need. */
abstract class RecordedRun implements RunListener, StepListener, CallListener {
  readonly listener = this;
  readonly calls = this;
  readonly steps = this;
  readonly logs: RecordedLog[] = [];
  readonly #frames: Frame[] = [];
  #texts = new Map<string, string>();
  /** the last copied code */
  #code: Uint8Array = EMPTY_BYTES;

  abstract readonly count: number;

  start(): void {
    this.logs.length = 0;
    this.#frames.length = 0;
  }

  begin({ type }: CallStart): void {
    this.#frames.push({ isCreation: type === 'CREATE' || type === 'CREATE2', code: EMPTY_BYTES });
  }

  step(step: RunStep): undefined {
    const frame = this.#frames.at(-1)!;
    if (frame.code.length === 0) frame.code = this.#copyOf(step.frame().code);
    this.take(step, frame);
    return undefined;
  }

  end(end: CallEnd): void {
    this.#frames.pop();
    this.ended(end);
  }

  abstract take(step: RunStep, frame: Frame): void;
  abstract ended(end: CallEnd): void;

  refuse(): void {}
  selfDestruct(_account: Address, _heir: Address, _balance: bigint): void {}

  log({ address, topics, data }: Log): void {
    // The bytes may be views of memory that changes later.
    const log = { address, topics: topics.map((topic) => topic.slice()), data: data.slice() };
    this.logs.push({ log, after: this.count });
  }

  /** A copy of the code. Consecutive frames often run the same code, as in a loop of calls: they share one copy. */
  #copyOf(code: Uint8Array): Uint8Array {
    if (!equalsBytes(code, this.#code)) this.#code = code.slice();
    return this.#code;
  }

  /** The address as text. All steps with the same address share one string. */
  protected addressOf({ address }: RunStep): string {
    const text = bytesToHex(address.bytes);
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }
}

/** Records the steps of the first run. */
export class OwnRun extends RecordedRun {
  readonly kept: RecordedStep[] = [];

  get count(): number {
    return this.kept.length;
  }

  override start(): void {
    super.start();
    this.kept.length = 0;
  }

  take(step: RunStep, frame: Frame): void {
    if (this.kept.length >= MAX_STEPS) return;
    const { pc, opcode, depth } = step;
    this.kept.push({ pc, opcode, depth, frame, address: this.addressOf(step), top: step.word(1) });
  }

  /** See {@link ExecutedOpcode.pcs}. @param number index of a step */
  pcsTo(number: number): number[] {
    const { frame } = this.kept[number]!;
    const pcs: number[] = [];
    for (let n = number; n >= 0 && pcs.length < MAX_PCS; n--) {
      const step = this.kept[n]!;
      if (step.frame === frame) pcs.push(step.pc);
    }
    return pcs;
  }

  ended({ error }: CallEnd): void {
    const last = this.kept.at(-1);
    if (last && error !== undefined) last.ended ??= error;
  }
}

/** The opcode that made a word of the stack differ between the runs; `undefined` for equal words. */
type Origin = Step | undefined;

/** The divergence of two runs, by steps. */
interface Found extends Step, Pick<Divergence, 'endsNow' | 'endsThen'> {
  readonly because?: Origin;
  readonly given?: (Step & Pick<FixedGas, 'gas'>) | undefined;
}

/** A frame of the second run, while both runs execute the same opcodes. */
interface OpenFrame {
  /** for each word of the stack, the lowest first */
  readonly origins: Origin[];
  /** the running opcode, the origin of the first operand that differs, and the gas that it passes on if that amount is fixed */
  last:
    | {
        readonly opcode: number;
        readonly executed: Step;
        readonly operand: Origin;
        readonly fixedGas: bigint | undefined;
      }
    | undefined;
}

/**
 * Compares the second run with the first, step by step, up to the first opcode after which they execute different steps. A difference in
 * remaining gas alone doesn't count. For each differing word the opcode is tracked that it comes from; GAS is named only as a last resort.
 */
export class OtherRun extends RecordedRun {
  readonly #first: OwnRun;
  readonly #frames: OpenFrame[] = [];
  #count = 0;
  #isTogether = true;
  /** error with which the second run's frame ended after the last common step */
  #ended: string | undefined;
  /** the last origin of a differing word that was stored in memory or storage */
  #stored: Origin;
  /** the first SELFDESTRUCT, whose effect depends on the hardfork (EIP-6780) */
  #destroys: Origin;
  /** the first opcode with a differing result, except GAS */
  #firstOrigin: Origin;
  #firstGas: Origin;
  /** the last executed opcode */
  #last: Origin;
  readonly #transfers: Transfer[] = [];
  /** the opcode that emitted each log; `undefined` for a log of the transaction itself */
  readonly #makers: Origin[] = [];

  constructor(first: OwnRun) {
    super();
    this.#first = first;
  }

  get count(): number {
    return this.#count;
  }

  override start(): void {
    super.start();
    this.#frames.length = 0;
    this.#count = 0;
    this.#isTogether = true;
    this.#ended = undefined;
    this.#stored = undefined;
    this.#firstOrigin = undefined;
    this.#firstGas = undefined;
    this.#destroys = undefined;
    this.#last = undefined;
    this.#makers.length = 0;
    this.#transfers.length = 0;
  }

  override log(log: Log): void {
    super.log(log);
    this.#makers.push(this.#last);
  }

  override begin(call: CallStart): void {
    super.begin(call);
    const { type, from, to, value = 0n } = call;
    // CALLCODE and DELEGATECALL transfer no ETH.
    if (value > 0n && (type === 'CALL' || !to)) this.#transfer(from, to);
  }

  override selfDestruct(account: Address, beneficiary: Address, balance: bigint): void {
    this.#destroys ??= this.#last;
    if (balance > 0n) this.#transfer(account, beneficiary);
  }

  #transfer(from: Address, to: Address | undefined): void {
    if (this.#last)
      this.#transfers.push({ from: from.bytes.slice(), to: to?.bytes.slice(), maker: this.#last });
  }

  /** The opcode that caused the log of a transfer (EIP-7708); `undefined` if the transaction itself did. */
  makerOf({ topics: [, from, to] }: Log): Divergence | undefined {
    const made = this.#transfers.find(
      (each) => isTopic(each.from, from) && (!each.to || isTopic(each.to, to)),
    );
    return made && this.#executedOpcodeOf(made.maker);
  }

  take(step: RunStep, { code, isCreation }: Frame): void {
    if (!this.#isTogether) return;
    const kept = this.#first.kept[this.#count];
    const { pc, opcode, depth } = step;
    const address = this.addressOf(step);
    const isSame =
      kept?.pc === pc && kept.opcode === opcode && kept.depth === depth && kept.address === address;
    const own = this.#first.kept[this.#count - 1];
    // A frame that ended with another error may continue in the caller at the same opcode.
    if (!isSame || (own && own.ended !== this.#ended)) {
      this.#isTogether = false;
      return;
    }
    this.#ended = undefined;
    this.#count++;
    this.#frames.length = Math.min(this.#frames.length, depth + 1);
    const frame = this.#frames[depth] ?? this.#open(depth);
    this.#settle(frame, kept, step);
    const executed = { address, pc, opcode: step.name, depth, code, isCreation, number: this.#count - 1 };
    this.#last = executed;
    frame.last = { opcode, executed, operand: this.#operand(frame, opcode), fixedGas: fixedGasOf(step) };
  }

  ended({ error }: CallEnd): void {
    if (this.#isTogether && error !== undefined) this.#ended ??= error;
  }

  #open(depth: number): OpenFrame {
    const frame = { origins: [], last: undefined };
    this.#frames[depth] = frame;
    return frame;
  }

  /** The origin of the first differing operand of an opcode. The gas that a call passes on doesn't count as an operand. */
  #operand({ origins }: OpenFrame, opcode: number): Origin {
    const { pops = 0 } = OPCODE_BY_CODE.get(opcode) ?? {};
    for (let n = CALLS.has(opcode) ? 2 : 1; n <= pops; n++) {
      const origin = origins[origins.length - n];
      if (origin) return origin;
    }
    return undefined;
  }

  /** Applies the frame's last opcode to the tracked stack; this step shows its result. */
  #settle(frame: OpenFrame, kept: RecordedStep, step: RunStep): void {
    const { origins, last } = frame;
    if (last) {
      const { opcode, executed, operand } = last;
      const { pops, pushes } = OPCODE_BY_CODE.get(opcode) ?? { pops: 0, pushes: 0 };
      if (STORES.has(opcode) && operand) this.#stored = operand;
      if (opcode >= DUP1 && opcode < SWAP1) origins.push(origins.at(DUP1 - opcode - 1));
      else if (opcode >= SWAP1 && opcode < SWAP1 + 16) {
        const [top, other] = [origins.length - 1, origins.length - 2 - (opcode - SWAP1)];
        [origins[top], origins[other]] = [origins[other], origins[top]];
      } else {
        origins.length = Math.max(0, origins.length - pops);
        if (pushes > 0)
          origins.push(kept.top === step.word(1) ? undefined : this.#origin(opcode, executed, operand));
      }
    }
    // Opcodes whose stack effect isn't in the table.
    while (origins.length < step.stackHeight) origins.push(undefined);
    origins.length = step.stackHeight;
  }

  #origin(opcode: number, executed: Step, operand: Origin): Step {
    if (operand) return operand;
    if (LOADS.has(opcode) && this.#stored) return this.#stored;
    if (opcode === GAS) this.#firstGas ??= executed;
    else this.#firstOrigin ??= executed;
    return executed;
  }

  /** The divergence, once both runs have ended; `undefined` if no opcode makes the difference, or too many steps ran before. */
  get divergence(): Divergence | undefined {
    const found = this.#found;
    if (!found) return undefined;
    const { because, given, endsNow, endsThen, ...step } = found;
    return {
      ...this.#executedOpcodeOf(step),
      ...{ endsNow, endsThen },
      ...(because && { because: this.#executedOpcodeOf(because) }),
      ...(given && { given: { ...this.#executedOpcodeOf(given), gas: given.gas } }),
    };
  }

  #executedOpcodeOf({ address, pc, opcode, depth, code, isCreation, number }: Step): ExecutedOpcode {
    return { address, pc, opcode, depth, code, isCreation, pcs: this.#first.pcsTo(number) };
  }

  get #found(): Found | undefined {
    const { kept } = this.#first;
    if (!this.#isTogether || this.#count < kept.length) return this.#partingOfSteps();
    const last = kept.at(-1);
    if (last && last.ended !== this.#ended) return this.#partingOfSteps();
    return this.#partingOfLogs() ?? this.#partingOfResults();
  }

  /** The divergence at the last common step. */
  #partingOfSteps(): Found | undefined {
    const { kept } = this.#first;
    const own = kept[this.#count - 1];
    if (!own || this.#count >= MAX_STEPS) return undefined;
    const last = this.#frames[own.depth]?.last;
    if (!last) return undefined;
    const { executed, operand } = last;
    const given =
      this.#ended === OUT_OF_GAS && own.ended !== OUT_OF_GAS ? this.#givenTo(own.depth) : undefined;
    return {
      ...executed,
      endsNow: own.ended,
      endsThen: this.#ended,
      given,
      ...(operand && { because: operand }),
    };
  }

  /** The innermost call with a fixed amount of gas around a frame. A precompile has no frame: its own call counts, too. */
  #givenTo(depth: number): Found['given'] {
    for (let n = depth; n >= 0; n--) {
      const { executed, fixedGas: gas } = this.#frames[n]?.last ?? {};
      if (executed && gas !== undefined) return { ...executed, gas };
    }
    return undefined;
  }

  #partingOfLogs(): Found | undefined {
    const theirs = this.#first.logs;
    const i = this.logs.findIndex(({ log }, n) => !theirs[n] || !isSameLog(log, theirs[n].log));
    if (i >= 0) return this.#makers[i] && this.#withCause(this.#makers[i]);
    const missing = theirs[this.logs.length];
    return missing && this.#partingAt(missing.after - 1);
  }

  /** @param number index of a step that both runs have in common */
  #partingAt(number: number): Found | undefined {
    const kept = this.#first.kept[number];
    if (!kept) return undefined;
    const { address, pc, depth, opcode, frame } = kept;
    const name = OPCODE_BY_CODE.get(opcode)?.name ?? 'INVALID';
    return this.#withCause({ ...{ address, pc, depth, opcode: name, number }, ...frame });
  }

  #withCause(executed: Step): Found {
    const because = this.#firstOrigin ?? this.#firstGas;
    return { ...executed, ...(because && { because }) };
  }

  #partingOfResults(): Found | undefined {
    return this.#stored ?? this.#firstOrigin ?? this.#destroys ?? this.#firstGas;
  }
}

/** The gas that a call passes on, with the stipend, if it gets the amount that it requests; `undefined` if it requests more. */
function fixedGasOf(step: RunStep): bigint | undefined {
  if (!CALLS.has(step.opcode) || step.isOutOfGas || step.word(1) !== step.passedGas) return undefined;
  const hasValue = CALLS_WITH_VALUE.has(step.opcode) && step.word(3) !== 0n;
  return step.passedGas + (hasValue ? CALL_STIPEND : 0n);
}

/** Whether a topic is an address, left-padded with zeros. */
function isTopic(address: Uint8Array, topic: Uint8Array | undefined): boolean {
  return topic !== undefined && equalsBytes(address, topic.subarray(12));
}
