import { bytesToHex, bytesToUtf8 } from '@ethereumjs/util';
import { integerOf } from '../state/integers.ts';

/** Selectors of Error(string) and Panic(uint256), with which solc's code reverts */
export const ERROR = '0x08c379a0';
export const PANIC = '0x4e487b71';

/** Meanings of solc's panic codes (Solidity documentation, "Panic via assert and Error via require") */
const PANICS: Readonly<Record<number, string>> = {
  0: 'generic panic',
  1: 'assert(false)',
  17: 'arithmetic underflow or overflow',
  18: 'division or modulo by zero',
  33: 'enum overflow',
  34: 'invalid encoded storage byte array accessed',
  49: 'out-of-bounds array access; popping on an empty array',
  50: 'out-of-bounds access of an array or bytesN',
  65: 'out of memory',
  81: 'uninitialized function',
};

/**
 * The reason in a revert's data, worded as in geth: the string of `Error(string)`, or the meaning of
 * `Panic(uint256)`. `undefined` for custom errors, for no data, and for data that doesn't match its selector.
 */
export function revertReason(data: Uint8Array): string | undefined {
  if (data.length < 36) return undefined;
  const selector = bytesToHex(data.subarray(0, 4));
  if (selector === PANIC) {
    const code = integerOf(data.subarray(4, 36));
    return PANICS[Number(code)] ?? `unknown panic code: 0x${code.toString(16)}`;
  }
  return selector === ERROR ? stringOf(data.subarray(4)) : undefined;
}

/** Decodes an ABI-encoded string; `undefined` if the data isn't such an encoding. */
export function stringOf(data: Uint8Array): string | undefined {
  if (data.length < 64) return undefined;
  const length = integerOf(data.subarray(32, 64));
  if (integerOf(data.subarray(0, 32)) !== 32n || length > BigInt(data.length - 64)) return undefined;
  return bytesToUtf8(data.subarray(64, 64 + Number(length)));
}
