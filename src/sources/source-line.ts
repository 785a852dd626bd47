/** An executed opcode whose source line is looked up. */
export interface RanOpcode {
  /** the frame's code */
  readonly code: Uint8Array;
  /** whether it is creation code */
  readonly isCreation: boolean;
  /**
   * byte offsets in the code: of the opcode, then of the opcodes that the frame executed before it, the newest first. Code that the
   * compiler generated has no source: the line is then that of an earlier opcode.
   */
  readonly pcs: readonly number[];
}

/** A line of Solidity. */
export interface SourceLine {
  /** name of the contract that the executed code belongs to */
  readonly contract: string;
  /** path of the file in the project */
  readonly file: string;
  /** from 1 */
  readonly line: number;
  /** from 1, in characters */
  readonly column: number;
  /** text of the line */
  readonly source: string;
}
