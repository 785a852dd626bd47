import { bytesToHex, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { DevnetError } from '../../errors.ts';
import { ERROR, PANIC, stringOf } from '../../protocol/revert-reason.ts';
import { callText } from '../../sources/abi/argument-text.ts';
import type { Decoded } from '../../sources/abi/decoder.ts';
import { integerOf } from '../../state/integers.ts';
import type { FailedCall } from './hardhat-errors.ts';

/** anvil's texts for Solidity's panic codes (hex digits). */
const PANICS: Readonly<Record<string, string>> = {
  '0': 'generic/unspecified error (0x00)',
  '1': 'assertion failed (0x01)',
  '11': 'arithmetic underflow or overflow (0x11)',
  '12': 'division or modulo by zero (0x12)',
  '21': 'failed to convert value into enum type (0x21)',
  '22': 'storage byte array incorrectly encoded (0x22)',
  '31': 'called `.pop()` on an empty array (0x31)',
  '32': 'array out-of-bounds access (0x32)',
  '41': 'memory allocation error (0x41)',
  '51': 'called an invalid internal function (0x51)',
};

const NO_FUNDS = 'Insufficient funds for gas * price + value';

/**
 * Returns the error with anvil's message. It differs for reverts, and for `eth_fillTransaction` if the sender can't pay.
 * @param custom the custom error that a call reverted with; it is formatted as Foundry formats one whose ABI it knows
 */
export function asAnvil(error: DevnetError, call?: FailedCall, custom?: Decoded): DevnetError {
  if (call?.method === 'eth_fillTransaction' && lacksFunds(error))
    return new DevnetError('transactionRejected', { reason: NO_FUNDS });
  if (error.kind !== 'reverted') return error;
  const data = String(error.data ?? '0x');
  const reason = custom ? callText(custom, 'foundry') : reasonOf(hexToBytes(data as PrefixedHexString));
  // anvil treats an empty reason as a reason.
  const said =
    reason === ''
      ? new DevnetError('revertedIn', { text: 'execution reverted: ' })
      : new DevnetError('reverted', reason === undefined ? {} : { reason });
  return said.withData(data);
}

function lacksFunds({ cause }: DevnetError): boolean {
  return cause instanceof DevnetError && cause.kind === 'insufficientFunds';
}

/** Decodes return data as Foundry's decoder does without an ABI. @returns `undefined` for empty data */
function reasonOf(data: Uint8Array): string | undefined {
  if (data.length === 0) return undefined;
  const selector = bytesToHex(data.subarray(0, 4));
  const rest = data.subarray(4);
  if (selector === ERROR) {
    const reason = stringOf(rest);
    if (reason !== undefined) return reason;
  }
  if (selector === PANIC && rest.length >= 32) {
    const code = integerOf(rest.subarray(0, 32)).toString(16);
    return `panic: ${PANICS[code] ?? `unknown code (0x${code})`}`;
  }
  const text = stringOf(data) || textOf(data);
  if (text) return text;
  if (data.length < 4) return `custom error bytes ${selector}`;
  if (rest.length === 0) return `custom error ${selector}`;
  return `custom error ${selector}: ${textOf(rest) ?? bytesToHex(rest).slice(2)}`;
}

/** @returns `undefined` when the bytes aren't valid UTF-8 */
function textOf(data: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return undefined;
  }
}
