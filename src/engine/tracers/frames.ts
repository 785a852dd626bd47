import type { Address } from '@ethereumjs/util';
import type { Log, Message } from '../../protocol/types.ts';
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
} from '../run-listener.ts';

export type FrameType = CallType | 'SELFDESTRUCT';

/** A call, a creation or a self-destruction, with the calls it made. */
export interface Frame {
  readonly type: FrameType;
  readonly from: Address;
  /** the account whose code runs; for a creation the new contract, absent when the creation failed */
  to?: Address;
  /** address that a failed creation would have had */
  attempted?: Address;
  /** gas limit of the frame; for the outermost frame, the transaction's without the intrinsic gas */
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
  /** index among the logs of the transaction that weren't reverted */
  readonly index: number;
  /** number of calls that the frame had made before the log */
  readonly position: number;
}

/** Memory that a recorded frame or log takes besides its data, in bytes. */
const RECORD_BYTES = 1200;

/** Records a run's call tree as geth's callTracer does. */
export class FrameRecorder implements Tracer, RunListener {
  readonly listener = this;
  #root: Frame | undefined;
  readonly #open: { readonly frame: Frame; readonly firstLog: number }[] = [];
  #message: Message | undefined;
  #pauses: Pauses | undefined;
  /** bytes */
  #held = 0;
  #logs = 0;

  /** The outermost frame. @throws Error before the run */
  get root(): Frame {
    if (!this.#root) throw new Error('nothing was run');
    return this.#root;
  }

  /** Gas limit of the transaction. */
  get gasLimit(): bigint {
    return this.#message!.gasLimit;
  }

  start({ message, pauses }: ListenedRun): void {
    this.#holdBytes(-this.#held);
    this.#message = message;
    this.#pauses = pauses;
    this.#root = undefined;
    this.#open.length = 0;
    this.#logs = 0;
  }

  refuse(error: string): void {
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

  readonly calls: CallListener = {
    begin: (call) => void this.begin(call),
    end: (end) => this.#end(end),
    refuse: (call, error) => {
      this.#record(call).error = error;
    },
    log: ({ address, topics, data }) => {
      this.#hold(data);
      const { frame } = this.#open.at(-1)!;
      frame.logs.push({
        log: { address, topics, data: copyOf(data) },
        index: this.#logs++,
        position: frame.calls.length,
      });
    },
    selfDestruct: (from, to, value) => {
      this.#hold(EMPTY_BYTES);
      const { frame } = this.#open.at(-1)!;
      frame.calls.push(frameOf({ type: 'SELFDESTRUCT', from, to, gas: 0n, input: EMPTY_BYTES, value }));
    },
  };

  /** Records the begin of a call. @returns its frame */
  begin(call: CallStart): Frame {
    const frame = this.#record(call);
    this.#open.push({ frame, firstLog: this.#logs });
    return frame;
  }

  #record(call: CallStart): Frame {
    this.#hold(call.input);
    const frame = frameOf({ ...call, input: copyOf(call.input) });
    const parent = this.#open.at(-1)?.frame;
    if (parent) parent.calls.push(frame);
    else this.#root = frame;
    return frame;
  }

  #end({ gasUsed, output, error, created, isPrecompile }: CallEnd): void {
    const { frame, firstLog } = this.#open.pop()!;
    frame.gasUsed = gasUsed;
    frame.precompile = isPrecompile;
    frame.reverted = error === 'execution reverted';
    if (error === undefined || frame.reverted) {
      this.#holdBytes(output.length);
      frame.output = copyOf(output);
    }
    if (error === undefined) {
      if (created) frame.to = created;
      return;
    }
    this.#logs = firstLog;
    frame.error = error;
    if (created) frame.attempted = created;
  }

  #hold(data: Uint8Array): void {
    this.#holdBytes(RECORD_BYTES + data.length);
  }

  #holdBytes(bytes: number): void {
    this.#held += bytes;
    this.#pauses?.hold(bytes);
  }
}

function copyOf(bytes: Uint8Array): Uint8Array {
  return bytes.length === 0 ? EMPTY_BYTES : new Uint8Array(bytes);
}

/** A new frame in which nothing has run yet. */
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
