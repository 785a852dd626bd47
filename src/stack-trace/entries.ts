import type { FunctionKind, SourceRange } from '../sources/source-file.ts';

/** What an entry of a stack trace is: see docs/stack-traces.md. */
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

/** Where an entry is. */
export interface Place extends SourceRange {
  /** byte of which the line is shown; by default where the range starts */
  readonly shown?: number;
  /** of the running code; `undefined` for free functions */
  readonly contract?: string | undefined;
  readonly function?: string | undefined;
  /** the contract or library that holds the function */
  readonly definedIn?: string | undefined;
  /** what the function is */
  readonly kind?: FunctionKind | undefined;
}

/** One entry of a stack trace: a call on the way to the failure, or the failure. */
export interface Entry {
  readonly kind: FrameKind;
  readonly place?: Place | undefined;
  /** data of the revert */
  readonly data?: Uint8Array;
  /** wei */
  readonly value?: bigint;
  readonly errorCode?: bigint;
  /** of a custom error, as Hardhat words it */
  readonly message?: string;
  readonly address?: string | undefined;
  readonly precompile?: number;
  /** whether unknown code ended in an opcode that doesn't exist */
  readonly invalidOpcode?: boolean;
  /** arguments of the function: `amount: 5, to: 0x...` */
  readonly args?: string;
  /** `internal-call`: where in the code */
  readonly pc?: number;
}

/**
 * Removes entries that only repeat the next one: those whose range holds that of the next entry. Two entries of equal ranges are a
 * recursion and stay.
 */
export function withoutRedundant(entries: readonly Entry[]): Entry[] {
  return entries.filter((entry, i) => {
    const next = entries[i + 1];
    const place = entry.place;
    const after = next?.place;
    if (!next || !place || !after || place.file !== after.file) return true;
    // solc 0.8.5 and others jump to a decoder of return data as if it were a function.
    const third = entries[i + 2];
    if (
      entry.kind === 'call' &&
      third?.kind === 'returndata-size' &&
      third.place &&
      isSame(place, third.place)
    )
      return false;
    // A constructor without code of its own has the range of its contract.
    if (place.function === 'constructor' && after.function !== 'constructor') return true;
    if (i > 0 && entry.kind === next.kind && isSame(place, after)) return true;
    return !(place.start <= after.start && place.end >= after.end);
  });
}

function isSame(a: Place, b: Place): boolean {
  return a.file === b.file && a.start === b.start && a.end === b.end;
}
