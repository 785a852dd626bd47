import { bytesToHex } from '@ethereumjs/util';
import type { TracedMessage } from '../engine/tracers/messages.ts';
import { ERROR, PANIC, stringOf } from '../protocol/revert-reason.ts';
import { integerOf } from '../state/integers.ts';
import type { Entry, FrameKind } from './entries.ts';
import { faultOf } from './fault.ts';
import { type FindCode, inferStackTrace } from './inference.ts';
import { precompileText } from './precompile.ts';

/** A call in a Solidity stack trace, or the failure: docs/stack-traces.md lists the members of each kind. */
export interface StackFrame {
  readonly kind: FrameKind;
  /** name of the contract whose code was executed */
  readonly contract?: string;
  readonly function?: string;
  /** the contract or library that the function is declared in */
  readonly definedIn?: string;
  readonly file?: string;
  /** from 1 */
  readonly line?: number;
  /** from 1, in characters */
  readonly column?: number;
  /** text of the line */
  readonly source?: string;
  /** of the function: `amount: 5, to: 0x...`; "not available" for a value that isn't known */
  readonly arguments?: string;
  readonly message?: string;
  /** wei, decimal */
  readonly value?: string;
  /** `0x` hex */
  readonly errorCode?: string;
  readonly address?: string;
  readonly precompile?: number;
  readonly data?: string;
  readonly invalidOpcode?: true;
}

/** Why a transaction or call failed, and where in the source. */
export interface StackTrace {
  /** in Hardhat's words */
  readonly message: string;
  /** the outermost first, the failure last */
  readonly frames: readonly StackFrame[];
}

/** Number of frames that are shown from each end of a longer stack, such as that of an endless recursion. */
const SHOWN_EACH_END = 1_000;

/** @returns `undefined` if the message succeeded */
export function stackTraceOf(root: TracedMessage, find: FindCode): StackTrace | undefined {
  if (root.error === undefined) return undefined;
  const entries = inferStackTrace(root, find);
  const shown =
    entries.length > 2 * SHOWN_EACH_END
      ? [...entries.slice(0, SHOWN_EACH_END), ...entries.slice(-SHOWN_EACH_END)]
      : entries;
  return {
    message: root.error === 'out of gas' ? 'Transaction ran out of gas' : messageOf(entries.at(-1)!),
    frames: shown.map(frameOf),
  };
}

/** Longest text of arguments that is shown, in characters. */
const MAX_ARGUMENTS = 1_000;

function shortened(text: string): string {
  return text.length > MAX_ARGUMENTS ? `${text.slice(0, MAX_ARGUMENTS)}...` : text;
}

function frameOf(entry: Entry): StackFrame {
  const { kind, place, data, value, errorCode, address, precompile, invalidOpcode, pc } = entry;
  const reason = data && reasonOf(data);
  const position = place?.file.positionOf(place.shown ?? place.start);
  return {
    kind,
    ...(place?.contract !== undefined && { contract: place.contract }),
    ...(pc !== undefined
      ? { function: `internal@${pc}` }
      : place?.function !== undefined && { function: place.function }),
    ...(place?.definedIn !== undefined && { definedIn: place.definedIn }),
    ...(place &&
      position && {
        file: place.file.name,
        ...(pc === undefined && {
          ...position,
          source: place.file.lineText(position.line),
        }),
      }),
    ...(entry.args && { arguments: shortened(entry.args) }),
    ...(entry.message !== undefined && { message: entry.message }),
    ...(reason !== undefined && { message: reason }),
    ...(value !== undefined && { value: value.toString() }),
    ...(errorCode !== undefined && { errorCode: `0x${errorCode.toString(16)}` }),
    ...(address !== undefined && { address }),
    ...(precompile !== undefined && { precompile }),
    ...(data &&
      data.length > 0 &&
      reason === undefined &&
      panicOf(data) === undefined && { data: bytesToHex(data) }),
    ...(panicOf(data) !== undefined && { errorCode: `0x${panicOf(data)!.toString(16)}` }),
    ...(invalidOpcode && { invalidOpcode }),
  };
}

const EXCEPTION = 'VM Exception while processing transaction:';
const WITHOUT_REASON = 'Transaction reverted without a reason string';

/** Hardhat's sentence for a failure. */
function messageOf(entry: Entry): string {
  const { kind, errorCode, precompile, message, data, invalidOpcode } = entry;
  const fault = faultOf(entry);
  if (fault) return `Transaction reverted: ${fault}`;
  switch (kind) {
    case 'precompile':
      return precompileText(precompile!);
    case 'panic':
      return `${EXCEPTION} ${panicText(errorCode!)}`;
    case 'custom-error':
      return `${EXCEPTION} ${message}`;
    case 'invalid-opcode':
      return `${EXCEPTION} invalid opcode`;
    case 'unmapped-revert':
      return `${WITHOUT_REASON} and without a valid sourcemap provided by the compiler. Some line numbers may be off. We strongly recommend upgrading solc and always using revert reasons.`;
    case 'revert':
    case 'unknown-create-failed':
    case 'unknown-contract-failed':
      return revertText(data ?? new Uint8Array(), invalidOpcode === true);
    default:
      return "Transaction reverted and Hardhat couldn't infer the reason.";
  }
}

function revertText(data: Uint8Array, isInvalidOpcode: boolean): string {
  const reason = reasonOf(data);
  if (reason !== undefined) return `${EXCEPTION} reverted with reason string '${reason}'`;
  const code = panicOf(data);
  if (code !== undefined) return `${EXCEPTION} ${panicText(code)}`;
  if (data.length > 0)
    return `${EXCEPTION} reverted with an unrecognized custom error (return data: ${bytesToHex(data)})`;
  return isInvalidOpcode ? `${EXCEPTION} invalid opcode` : WITHOUT_REASON;
}

/** The reason in an `Error(string)`. */
function reasonOf(data: Uint8Array): string | undefined {
  return bytesToHex(data.subarray(0, 4)) === ERROR ? stringOf(data.subarray(4)) : undefined;
}

function panicOf(data: Uint8Array | undefined): bigint | undefined {
  if (!data || data.length < 36 || bytesToHex(data.subarray(0, 4)) !== PANIC) return undefined;
  return integerOf(data.subarray(4, 36));
}

/** Hardhat's texts for the codes of `Panic(uint256)`. */
const PANICS: Readonly<Record<string, string>> = {
  1: 'Assertion error',
  17: 'Arithmetic operation overflowed outside of an unchecked block',
  18: 'Division or modulo division by zero',
  33: 'Tried to convert a value into an enum, but the value was too big or negative',
  34: 'Incorrectly encoded storage byte array',
  49: '.pop() was called on an empty array',
  50: 'Array accessed at an out-of-bounds or negative index',
  65: 'Too much memory was allocated, or an array was created that is too large',
  81: 'Called a zero-initialized variable of internal function type',
};

function panicText(code: bigint): string {
  const text = PANICS[code.toString()];
  return text
    ? `reverted with panic code 0x${code.toString(16)} (${text})`
    : `reverted with unknown panic code 0x${code.toString(16)}`;
}
