import type { Message as EngineMessage, EVMResult } from '@ethereumjs/evm';
import { Address, bigIntToAddressBytes } from '@ethereumjs/util';
import { EMPTY_BYTES } from '../../state/account.ts';
import { integerWord } from '../../state/integers.ts';
import type { Pauses } from '../../turns.ts';
import type { DevnetEVM, OpcodeObserver, RunState } from '../devnet-evm.ts';
import type { TracedRun, Tracer } from '../engine.ts';
import { haltReason } from '../halt-reason.ts';
import { CALL_STIPEND } from '../least-gas.ts';
import type { Log, Message } from '../types.ts';

export type FrameType =
  | 'CALL'
  | 'CALLCODE'
  | 'DELEGATECALL'
  | 'STATICCALL'
  | 'CREATE'
  | 'CREATE2'
  | 'SELFDESTRUCT';

/** A call, a creation or a self-destruction, with the calls it made. */
export interface Frame {
  readonly type: FrameType;
  readonly from: Address;
  /** the account whose code runs; for a creation the new contract, absent when the creation failed */
  to?: Address;
  /** address that a failed creation would have had */
  attempted?: Address;
  /** gas limit of the frame; the transaction's for the outermost frame */
  readonly gas: bigint;
  /** gas used before refunds; for the outermost frame, without the intrinsic gas */
  gasUsed: bigint;
  readonly input: Uint8Array;
  /** return data, the code of a new contract, or a revert's data */
  output: Uint8Array;
  /** wei; absent for STATICCALL */
  readonly value?: bigint;
  /** error message as in geth */
  error?: string;
  reverted: boolean;
  precompile: boolean;
  readonly calls: Frame[];
  readonly logs: FrameLog[];
}

export interface FrameLog {
  readonly log: Log;
  /** index among the transaction's logs that were not reverted */
  readonly index: number;
  /** number of calls that the frame had made before */
  readonly position: number;
}

const TYPES: Readonly<Record<number, FrameType>> = {
  240: 'CREATE',
  241: 'CALL',
  242: 'CALLCODE',
  244: 'DELEGATECALL',
  245: 'CREATE2',
  250: 'STATICCALL',
};
const MAX_DEPTH = 1024;
/** What a recorded frame, or a log, takes besides its data, in bytes. */
const RECORD_BYTES = 1200;

/** Records a run's call tree as geth's callTracer does. Cheap: it listens to messages, not to steps. */
export class FrameRecorder implements Tracer, OpcodeObserver {
  #root: Frame | undefined;
  readonly #open: { frame: Frame; message: EngineMessage; firstLog: number }[] = [];
  #message: Message | undefined;
  #pauses: Pauses | undefined;
  #logs = 0;
  /** the call that the current opcode is making, until its message arrives */
  #call: { type: FrameType; runState: RunState; refused: () => Frame | undefined } | undefined;

  /** The outermost frame. @throws Error before the run */
  get root(): Frame {
    if (!this.#root) throw new Error('nothing was run');
    return this.#root;
  }

  attach(evm: DevnetEVM, { message }: TracedRun): () => void {
    this.#message = message;
    this.#pauses = evm.turns;
    return evm.watch({
      observer: this,
      before: (sent) => this.#enter(sent),
      after: (result) => this.#exit(result),
    });
  }

  onFault(error: string): void {
    const { from, to, gasLimit, data, value } = this.#message!;
    this.#root = frameOf({
      type: to ? 'CALL' : 'CREATE',
      from,
      ...(to && { to }),
      gas: gasLimit,
      gasUsed: gasLimit,
      input: data,
      value,
      error,
    });
  }

  beforeCall(opcode: number, runState: RunState): void {
    const type = TYPES[opcode]!;
    this.#call = { type, runState, refused: refusedCall(type, runState) };
  }

  /** A call that the balance or the depth limit refuses sends no message; geth shows such calls. */
  afterCall(): void {
    const call = this.#call;
    this.#call = undefined;
    const frame = call?.refused();
    if (!frame) return;
    this.#hold(frame.input);
    this.#open.at(-1)?.frame.calls.push(frame);
  }

  log(topicCount: number, { env, stack, memory }: RunState): void {
    const frame = this.#open.at(-1)?.frame;
    const words = stack.getStack();
    if (!frame || words.length < 2 + topicCount || env.isStatic) return;
    const [offset, length] = [words.at(-1)!, words.at(-2)!];
    const data = length === 0n ? EMPTY_BYTES : memory.read(Number(offset), Number(length)).slice();
    this.#hold(data);
    frame.logs.push({
      log: {
        address: env.address,
        topics: words
          .slice(-2 - topicCount, -2)
          .reverse()
          .map((word) => integerWord(word)),
        data,
      },
      index: this.#logs++,
      position: frame.calls.length,
    });
  }

  selfdestruct({ env, stack }: RunState): void {
    const beneficiary = stack.getStack().at(-1);
    if (beneficiary === undefined || env.isStatic) return;
    this.#hold(EMPTY_BYTES);
    const to = new Address(bigIntToAddressBytes(beneficiary & ((1n << 160n) - 1n)));
    const { address: from, contract } = env;
    this.#open
      .at(-1)
      ?.frame.calls.push(
        frameOf({ type: 'SELFDESTRUCT', from, to, gas: 0n, input: EMPTY_BYTES, value: contract.balance }),
      );
  }

  #hold(data: Uint8Array): void {
    this.#pauses?.hold(RECORD_BYTES + data.length);
  }

  #enter(message: EngineMessage): void {
    const parent = this.#open.at(-1)?.frame;
    const type = this.#call?.type ?? (message.to ? 'CALL' : 'CREATE');
    const inContext = type === 'DELEGATECALL' && this.#call;
    this.#call = undefined;
    const frame = frameOf({
      type,
      // The message of a DELEGATECALL names as caller the caller of the frame that makes it.
      from: inContext ? inContext.runState.env.address : message.caller,
      ...(message.to && { to: message.codeAddress }),
      gas: parent ? message.gasLimit : this.#message!.gasLimit,
      // Copied, since this is a view on the caller's memory, which changes.
      input: copyOf(message.data),
      ...(type !== 'STATICCALL' && { value: message.value }),
    });
    this.#hold(frame.input);
    if (parent) parent.calls.push(frame);
    else this.#root = frame;
    this.#open.push({ frame, message, firstLog: this.#logs });
  }

  #exit({ execResult, createdAddress }: EVMResult): void {
    const open = this.#open.pop();
    if (!open) return;
    const { frame, message, firstLog } = open;
    const error = execResult.exceptionError;
    frame.gasUsed = execResult.executionGasUsed;
    frame.precompile = message.isCompiled;
    if (!error) {
      // Copied, since the identity precompile returns its input, which is a view too.
      frame.output = copyOf(execResult.returnValue);
      this.#pauses?.hold(frame.output.length);
      if (createdAddress) frame.to = createdAddress;
      return;
    }
    this.#logs = firstLog;
    frame.error = invalidOpcode(error.error, execResult.runState) ?? haltReason(error.error);
    frame.reverted = frame.error === 'execution reverted';
    if (frame.reverted) {
      frame.output = execResult.returnValue;
      this.#pauses?.hold(frame.output.length);
    }
    if (frame.type === 'CREATE' || frame.type === 'CREATE2') {
      delete frame.to;
      if (message.to) frame.attempted = message.to;
    }
  }
}

function copyOf(bytes: Uint8Array): Uint8Array {
  return bytes.length === 0 ? EMPTY_BYTES : bytes.slice();
}

/** A frame of which nothing has run yet. */
function frameOf(fields: Pick<Frame, 'type' | 'from' | 'gas' | 'input'> & Partial<Frame>): Frame {
  return {
    gasUsed: 0n,
    output: EMPTY_BYTES,
    reverted: false,
    precompile: false,
    calls: [],
    logs: [],
    ...fields,
  };
}

function invalidOpcode(error: string, runState: RunState | undefined): string | undefined {
  if (error !== 'invalid opcode' || !runState) return undefined;
  const opcode = runState.code[runState.programCounter];
  if (opcode === undefined || opcode === 0xfe) return 'invalid opcode: INVALID';
  return `invalid opcode: opcode 0x${opcode.toString(16)} not defined`;
}

/** Reads the call off the stack before the opcode pops it. @returns a function giving its frame if it is refused */
function refusedCall(type: FrameType, runState: RunState): () => Frame | undefined {
  const { env, memory, messageGasLimit } = runState;
  const words = runState.stack.getStack().reverse();
  const creates = type === 'CREATE' || type === 'CREATE2';
  const transfers = type === 'CALL' || type === 'CALLCODE';
  const value = creates ? words[0] : transfers ? words[2] : 0n;
  const tooDeep = env.depth >= MAX_DEPTH;
  const tooPoor = value !== undefined && type !== 'DELEGATECALL' && env.contract.balance < value;
  const range = creates ? words.slice(1, 3) : words.slice(transfers ? 3 : 2);
  const [offset, length] = range;
  if ((!tooDeep && !tooPoor) || offset === undefined || length === undefined) return () => undefined;
  const input = length === 0n ? EMPTY_BYTES : memory.read(Number(offset), Number(length)).slice();
  return () =>
    frameOf({
      type,
      from: env.address,
      ...(!creates && { to: new Address(bigIntToAddressBytes(words[1]! & ((1n << 160n) - 1n))) }),
      gas: (messageGasLimit ?? 0n) + (transfers && value ? CALL_STIPEND : 0n),
      input,
      ...(type !== 'STATICCALL' && { value: type === 'DELEGATECALL' ? env.callValue : (value ?? 0n) }),
      error: tooDeep ? 'max call depth exceeded' : 'insufficient balance for transfer',
    });
}
