import { bytesToHex } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import { revertReason } from '../protocol/revert-reason.ts';
import type { Executed } from '../protocol/types.ts';
import { callText } from '../sources/abi/argument-text.ts';
import type { Decoded } from '../sources/abi/decoder.ts';

/** What a failed call came to. */
export type Failed = Pick<Executed, 'failure' | 'returnData'>;

/**
 * A failed call's JSON-RPC error: 3 with the data of a revert, else -32015 with the reason; `undefined` if none.
 * @param custom what the data is as a custom error. The dispatcher puts it into errors that are thrown
 */
export function callError({ failure, returnData }: Failed, custom?: Decoded): DevnetError | undefined {
  if (!failure) return undefined;
  if (!failure.revert) return new DevnetError('vmError', { reason: failure.reason });
  const reason = custom ? callText(custom, 'foundry') : revertReason(returnData);
  return new DevnetError('reverted', reason === undefined ? {} : { reason }).withData(bytesToHex(returnData));
}
