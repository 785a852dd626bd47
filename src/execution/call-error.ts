import { bytesToHex } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import { revertReason } from '../evm/revert-reason.ts';
import type { Executed } from '../evm/types.ts';

/**
 * The JSON-RPC error of a failed call: code 3 with the return data for a revert, -32015 naming the reason for any other
 * failure.
 * @returns `undefined` when the call succeeded
 */
export function callError({ failure, returnData }: Executed): DevnetError | undefined {
  if (!failure) return undefined;
  if (!failure.revert) return new DevnetError('vmError', { reason: failure.reason });
  const reason = revertReason(returnData);
  return new DevnetError('reverted', reason === undefined ? {} : { reason }).withData(bytesToHex(returnData));
}
