import { Address, bigIntToAddressBytes } from '@ethereumjs/util';
import { andThen, type StateView } from '../../state/view.ts';
import type { Pauses } from '../../turns.ts';
import type { Tracer } from '../engine.ts';
import type { CallListener, ListenedRun, RunListener, RunStep, StepListener } from '../run-listener.ts';
import { type Frame, FrameRecorder } from './frames.ts';
import { preimageOf } from './keccak-preimages.ts';

export interface Erc7562Options {
  /** opcodes that aren't counted */
  readonly ignored: ReadonlySet<number>;
}

/** The accesses of one frame that the rules of ERC-7562 concern. Slots are words; addresses have 0x. */
export interface FrameAccess {
  /** slot -> its value when it was first read, unless it was written before */
  readonly reads: Map<bigint, bigint>;
  /** slot -> how often it was written */
  readonly writes: Map<bigint, number>;
  readonly transientReads: Map<bigint, number>;
  readonly transientWrites: Map<bigint, number>;
  /** accounts named by EXTCODE opcodes, in order, except those of an EXTCODESIZE before ISZERO (OP-051) */
  readonly extCode: string[];
  /** opcode -> how often it was executed; GAS counts only if no call follows it (OP-012) */
  readonly opcodes: Map<number, number>;
  /** account named by EXTCODE opcodes and calls -> size of its code when it was first named, and the opcode (OP-041) */
  readonly contracts: Map<string, { readonly size: number; readonly opcode: number }>;
}

const KECCAK256 = 0x20;
const EXTCODESIZE = 0x3b;
const SLOAD = 0x54;
const SSTORE = 0x55;
const GAS = 0x5a;
const TLOAD = 0x5c;
const TSTORE = 0x5d;
const ISZERO = 0x15;
/** RETURN, REVERT */
const RETURNS = new Set([0xf3, 0xfd]);
/** EXTCODESIZE, EXTCODECOPY, EXTCODEHASH */
const EXT_CODES = new Set([EXTCODESIZE, 0x3c, 0x3f]);
/** CALL, CALLCODE, DELEGATECALL, STATICCALL */
const CALLS = new Set([0xf1, 0xf2, 0xf4, 0xfa]);
const ADDRESS_MASK = (1n << 160n) - 1n;
/** Memory that one entry takes, in bytes. */
const ENTRY_BYTES = 200;

/**
 * geth's erc7562Tracer: the tree of calls, each with the accesses that the validation rules for user operations (ERC-7562) concern, and the
 * preimages that were hashed.
 */
export class Erc7562Recorder implements Tracer, RunListener {
  readonly #options: Erc7562Options;
  readonly #frames = new FrameRecorder();
  readonly #access = new Map<Frame, FrameAccess>();
  /** frames of open calls */
  readonly #open: FrameAccess[] = [];
  /** the hashed data as hex digits */
  readonly #preimages = new Set<string>();
  #last: { readonly code: number; readonly top: bigint | undefined } | undefined;
  #pauses: Pauses | undefined;
  #now: StateView | undefined;

  constructor(options: Erc7562Options) {
    this.#options = options;
  }

  readonly listener = this;

  /** The outermost frame. @throws Error before the run */
  get root(): Frame {
    return this.#frames.root;
  }

  /** Gas limit of the transaction. */
  get gasLimit(): bigint {
    return this.#frames.gasLimit;
  }

  /** The data hashed in the whole run, as sorted hex digits. */
  get preimages(): string[] {
    return [...this.#preimages].sort();
  }

  accessOf(frame: Frame): FrameAccess {
    return this.#access.get(frame) ?? emptyAccess();
  }

  start(run: ListenedRun): void {
    this.#pauses = run.pauses;
    this.#now = run.now;
    this.#access.clear();
    this.#open.length = 0;
    this.#preimages.clear();
    this.#last = undefined;
    this.#frames.start(run);
  }

  refuse(reason: string): void {
    this.#frames.refuse(reason);
  }

  readonly calls: CallListener = {
    begin: (call) => {
      const access = emptyAccess();
      this.#access.set(this.#frames.begin(call), access);
      this.#open.push(access);
    },
    end: (end) => {
      this.#open.pop();
      this.#frames.calls.end(end);
    },
    refuse: (call, error) => this.#frames.calls.refuse(call, error),
    log: (log) => this.#frames.calls.log(log),
    selfDestruct: (...destroyed) => this.#frames.calls.selfDestruct(...destroyed),
  };

  readonly steps: StepListener = {
    step: (step) => (step.isBehindCode ? undefined : this.#step(step)),
  };

  #step(step: RunStep): Promise<void> | undefined {
    const access = this.#open.at(-1);
    const { opcode: code } = step;
    if (!access || step.stackHeight < LEAST[code]!) {
      this.#last = { code, top: step.word(1) };
      return undefined;
    }
    if (RETURNS.has(code)) this.#last = undefined;
    const last = this.#last;
    if (last && EXT_CODES.has(last.code) && last.top !== undefined)
      if (!(last.code === EXTCODESIZE && code === ISZERO)) access.extCode.push(addressOf(last.top));
    if (last?.code === GAS && !CALLS.has(code)) count(access.opcodes, GAS);
    if (code !== GAS && !this.#options.ignored.has(code)) count(access.opcodes, code);
    if (code === KECCAK256) {
      const preimage = preimageOf(step);
      if (preimage) this.#hold(preimage.length);
      if (preimage) this.#preimages.add(Buffer.from(preimage).toString('hex'));
    }
    this.#last = { code, top: step.word(1) };
    return this.#nameContract(step, access) ?? this.#accessSlot(step, access);
  }

  #nameContract(step: RunStep, { contracts }: FrameAccess): Promise<void> | undefined {
    const { opcode } = step;
    const isCall = CALLS.has(opcode);
    if (!isCall && !EXT_CODES.has(opcode)) return undefined;
    const address = addressOf(step.word(isCall ? 2 : 1)!);
    if (contracts.has(address)) return undefined;
    this.#hold(0);
    const keep = ({ length }: Uint8Array) => void contracts.set(address, { size: length, opcode });
    return andThen(this.#now!.getCode(new Address(bytesOf(address))), keep) ?? undefined;
  }

  #accessSlot(step: RunStep, access: FrameAccess): Promise<void> | undefined {
    const { opcode } = step;
    const counted = new Map([
      [SSTORE, access.writes],
      [TLOAD, access.transientReads],
      [TSTORE, access.transientWrites],
    ]);
    const counts = counted.get(opcode);
    if (!counts && opcode !== SLOAD) return undefined;
    const slot = step.word(1)!;
    if (counts) {
      this.#hold(0);
      count(counts, slot);
      return undefined;
    }
    if (access.reads.has(slot) || access.writes.has(slot)) return undefined;
    this.#hold(0);
    return andThen(step.slotValue(), (value) => void access.reads.set(slot, value)) ?? undefined;
  }

  #hold(bytes: number): void {
    this.#pauses?.hold(ENTRY_BYTES + bytes);
  }
}

/** The number of stack words that this tracer reads, by opcode. */
const LEAST: readonly number[] = Array.from({ length: 256 }, (_, code) => {
  if (CALLS.has(code) || code === KECCAK256) return 2;
  return EXT_CODES.has(code) || [SLOAD, SSTORE, TLOAD, TSTORE].includes(code) ? 1 : 0;
});

function emptyAccess(): FrameAccess {
  return {
    reads: new Map(),
    writes: new Map(),
    transientReads: new Map(),
    transientWrites: new Map(),
    extCode: [],
    opcodes: new Map(),
    contracts: new Map(),
  };
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function addressOf(word: bigint): string {
  return `0x${Buffer.from(bigIntToAddressBytes(word & ADDRESS_MASK)).toString('hex')}`;
}

function bytesOf(address: string): Uint8Array {
  return new Uint8Array(Buffer.from(address.slice(2), 'hex'));
}
