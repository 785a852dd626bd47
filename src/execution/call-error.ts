import { bytesToHex } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import { revertReason } from '../evm/revert-reason.ts';
import type { Executed } from '../evm/types.ts';

/**
 * The error of a call that failed: 3 with the raw data for a revert, -32015 naming any other halt. `undefined` when it
 * succeeded.
 */
export function callError({ failure, returnData }: Executed): DevnetError | undefined {
  if (!failure) return undefined;
  if (!failure.revert) return new DevnetError('vmError', { reason: failure.reason });
  const reason = revertReason(returnData);
  return new DevnetError('reverted', reason === undefined ? {} : { reason }).withData(bytesToHex(returnData));
}
