import { DevnetError } from '../../errors.ts';
import { callText } from '../../sources/abi/argument-text.ts';
import type { Decoded } from '../../sources/abi/decoder.ts';
import type { FailedCall } from './hardhat-errors.ts';

/**
 * Returns the error with geth's message. geth reports a custom error only as "execution reverted"; if its ABI is known from an artifact, it
 * is added here.
 */
export function asGeth(error: DevnetError, _call?: FailedCall, custom?: Decoded): DevnetError {
  if (error.kind !== 'reverted' || !custom) return error;
  return new DevnetError('reverted', { reason: callText(custom, 'foundry') }).withData(error.data ?? '0x');
}
