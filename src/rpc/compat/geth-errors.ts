import { DevnetError } from '../../errors.ts';
import { callText } from '../../sources/abi/argument-text.ts';
import type { Decoded } from '../../sources/abi/decoder.ts';
import type { FailedCall } from './hardhat-errors.ts';

/** The error with geth's message: of a custom error geth says only that there was a revert. An artifact tells more. */
export function asGeth(error: DevnetError, _call?: FailedCall, custom?: Decoded): DevnetError {
  if (error.kind !== 'reverted' || !custom) return error;
  return new DevnetError('reverted', { reason: callText(custom, 'foundry') }).withData(error.data ?? '0x');
}
