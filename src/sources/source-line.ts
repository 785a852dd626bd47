/** An opcode that ran, by which its place in the source is found. */
export interface RanOpcode {
  /** of the frame */
  readonly code: Uint8Array;
  /** whether the code is that of a creation */
  readonly isCreation: boolean;
  /**
   * byte offsets in the code: of the opcode, then of those that the frame ran before it, the newest first. Code that the compiler
   * generated has no source: it is looked for at the opcodes that led there.
   */
  readonly pcs: readonly number[];
}

/** A line of Solidity. */
export interface SourceLine {
  /** name of the contract whose code runs */
  readonly contract: string;
  /** as the project names it */
  readonly file: string;
  /** from 1 */
  readonly line: number;
  /** from 1, in characters */
  readonly column: number;
  /** text of the line */
  readonly source: string;
}
