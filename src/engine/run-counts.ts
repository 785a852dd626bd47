/** What ran of one code in a run. The lists have an entry for each byte of the code at which an opcode ran. */
export interface CodeCounts {
  /** hash of the code: 64 hex digits; `undefined` for init code */
  readonly hash: string | undefined;
  /** as it is deployed, or init code with its arguments: a view that changes later */
  readonly code: Uint8Array;
  /** bytes in the code; the length of the code for the STOP behind it */
  readonly pcs: readonly number[];
  /** how often each ran */
  readonly runs: readonly number[];
  /**
   * gas that each used: what its frame had less when the next opcode began, without the gas of frames that it called. So what a failure
   * burns and what new code costs belong to the last opcode of a frame, and a call's stipend is taken off the call.
   */
  readonly gas: readonly number[];
}

/** A frame that ran code. */
export interface CountedFrame {
  /** `undefined` where there were too many codes to count them */
  readonly code: CodeCounts | undefined;
  /** 0 for the outermost one */
  readonly depth: number;
  readonly isCreation: boolean;
  /** the first four bytes of the call data: 8 hex digits; `undefined` for shorter data and for creations */
  readonly selector: string | undefined;
  /** whether there was call data */
  readonly hasInput: boolean;
  /** with that of the frames that it called; of the outermost one without the intrinsic gas, before refunds */
  readonly gas: number;
  readonly failed: boolean;
}

/** What a transaction of a block ran. Nothing in it changes later. */
export interface CountedRun {
  readonly counts: RunCounts;
  /** gas used, before refunds */
  readonly maxUsedGas: bigint;
  readonly success: boolean;
}

/** What ran in a run, and what it cost. */
export interface RunCounts {
  readonly codes: readonly CodeCounts[];
  /** in the order in which they ended: the outermost one last; it is never left out where it ran code */
  readonly frames: readonly CountedFrame[];
}

/** What a run has counted, without views of the engine's memory. */
export function keptCounts({ codes, frames }: RunCounts): RunCounts {
  const copies = new Map(codes.map((each) => [each, { ...each, code: new Uint8Array(each.code) }]));
  return {
    codes: [...copies.values()],
    frames: frames.map((frame) => ({ ...frame, code: frame.code && copies.get(frame.code) })),
  };
}
