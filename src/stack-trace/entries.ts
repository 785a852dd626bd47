import type { FunctionKind, SourceRange } from '../sources/source-file.ts';

/** The kind of a stack trace entry: see docs/stack-traces.md. */
export type FrameKind =
  | 'call'
  | 'unknown-create'
  | 'unknown-call'
  | 'internal-call'
  | 'revert'
  | 'invalid-opcode'
  | 'custom-error'
  | 'panic'
  | 'function-not-payable'
  | 'invalid-params'
  | 'fallback-not-payable'
  | 'fallback-not-payable-no-receive'
  | 'unrecognized-selector'
  | 'missing-receive'
  | 'returndata-size'
  | 'no-contract'
  | 'call-failed'
  | 'library-called-directly'
  | 'unknown-create-failed'
  | 'unknown-contract-failed'
  | 'precompile'
  | 'code-too-large'
  | 'out-of-gas'
  | 'unmapped-revert'
  | 'other';

/** The source position of an entry. */
export interface Place extends SourceRange {
  /** byte offset whose line is shown; by default the start of the range */
  readonly shown?: number;
  /** the contract whose code was executed; `undefined` for free functions */
  readonly contract?: string | undefined;
  readonly function?: string | undefined;
  /** the contract or library that the function is declared in */
  readonly definedIn?: string | undefined;
  /** the function's kind */
  readonly kind?: FunctionKind | undefined;
}

/** One entry of a stack trace: a call that led to the failure, or the failure. */
export interface Entry {
  readonly kind: FrameKind;
  readonly place?: Place | undefined;
  /** data of the revert */
  readonly data?: Uint8Array;
  /** wei */
  readonly value?: bigint;
  readonly errorCode?: bigint;
  /** of a custom error, in Hardhat's words */
  readonly message?: string;
  readonly address?: string | undefined;
  readonly precompile?: number;
  /** whether code without known sources failed at an invalid opcode */
  readonly invalidOpcode?: boolean;
  /** the function's arguments: `amount: 5, to: 0x...` */
  readonly args?: string;
  /** of an `internal-call`: byte offset in the code */
  readonly pc?: number;
}

/**
 * Removes entries that add nothing to the next one, because their range encloses that of the next one. Two entries with equal ranges are a
 * recursion and are kept.
 */
export function withoutRedundant(entries: readonly Entry[]): Entry[] {
  return entries.filter((entry, i) => {
    const next = entries[i + 1];
    const place = entry.place;
    const after = next?.place;
    if (!next || !place || !after || place.file !== after.file) return true;
    // solc 0.8.5 and others enter the decoder of return data with a jump that is marked like a function call.
    const third = entries[i + 2];
    if (
      entry.kind === 'call' &&
      third?.kind === 'returndata-size' &&
      third.place &&
      isSame(place, third.place)
    )
      return false;
    // A constructor that isn't written in the source has its contract's range.
    if (place.function === 'constructor' && after.function !== 'constructor') return true;
    if (entry.kind === next.kind && isSame(place, after) && (i > 0 || isStatement(place))) return true;
    return !(place.start <= after.start && place.end >= after.end);
  });
}

/** Whether a place is a part of a function. */
function isStatement({ file, start, end }: Place): boolean {
  const fn = file.functionAround(start, end);
  return fn !== undefined && (fn.start !== start || fn.end !== end);
}

function isSame(a: Place, b: Place): boolean {
  return a.file === b.file && a.start === b.start && a.end === b.end;
}
