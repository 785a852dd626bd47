/** What a run executed of one code. The lists have an entry for each program counter at which an opcode ran. */
export interface CodeCounts {
  /** hash of the code: 64 hex digits; `undefined` for init code */
  readonly hash: string | undefined;
  /** the deployed code, or init code with its arguments: a view that changes later */
  readonly code: Uint8Array;
  /** program counters; the length of the code for the implicit STOP at its end */
  readonly pcs: readonly number[];
  /** how often the opcode at each program counter ran */
  readonly runs: readonly number[];
  /**
   * gas that each opcode used: the decrease of its frame's gas until the next opcode began, without the gas of frames that it called. Gas
   * that a failure burns and the code deposit cost count for the last opcode of a frame, and a call's stipend is subtracted from the call.
   */
  readonly gas: readonly number[];
}

/** A frame that ran code. */
export interface CountedFrame {
  /** `undefined` if there were too many codes to count all of them */
  readonly code: CodeCounts | undefined;
  /** 0 for the outermost one */
  readonly depth: number;
  readonly isCreation: boolean;
  /** the first four bytes of the call data: 8 hex digits; `undefined` for shorter data and for creations */
  readonly selector: string | undefined;
  /** whether there was call data */
  readonly hasInput: boolean;
  /** gas used, including the frames that it called; for the outermost frame without the intrinsic gas and before refunds */
  readonly gas: number;
  readonly failed: boolean;
}

/** What a transaction in a block ran. Immutable. */
export interface CountedRun {
  readonly counts: RunCounts;
  /** gas used, before refunds */
  readonly maxUsedGas: bigint;
  readonly success: boolean;
}

/** The opcodes and frames of a run, with their gas. */
export interface RunCounts {
  readonly codes: readonly CodeCounts[];
  /** in the order in which they ended, so the outermost frame is last; the outermost frame is always included if it ran code */
  readonly frames: readonly CountedFrame[];
}

/** A copy of the counts of a run that has no views of the engine's memory. */
export function keptCounts({ codes, frames }: RunCounts): RunCounts {
  const copies = new Map(codes.map((each) => [each, { ...each, code: new Uint8Array(each.code) }]));
  return {
    codes: [...copies.values()],
    frames: frames.map((frame) => ({ ...frame, code: frame.code && copies.get(frame.code) })),
  };
}
