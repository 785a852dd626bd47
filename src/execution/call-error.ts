import { bytesToHex } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import { revertReason } from '../protocol/revert-reason.ts';
import type { Executed } from '../protocol/types.ts';
import { callText } from '../sources/abi/argument-text.ts';
import type { Decoded } from '../sources/abi/decoder.ts';

/** Result of a failed call. */
export type Failed = Pick<Executed, 'failure' | 'returnData'>;

/**
 * Makes a failed call's JSON-RPC error: 3 with the data of a revert, otherwise -32015 with the reason; `undefined` if the call succeeded.
 * @param custom the data, decoded as a custom error. For thrown errors the dispatcher decodes it
 */
export function callError({ failure, returnData }: Failed, custom?: Decoded): DevnetError | undefined {
  if (!failure) return undefined;
  if (!failure.revert) return new DevnetError('vmError', { reason: failure.reason });
  const reason = custom ? callText(custom, 'foundry') : revertReason(returnData);
  return new DevnetError('reverted', reason === undefined ? {} : { reason }).withData(bytesToHex(returnData));
}
