import type { CallRequest } from '../../execution/call-request.ts';
import { type Codec, isObject } from './codec.ts';
import { transactionRequest } from './transaction.ts';
import { hash32 } from './values.ts';

/** A transaction, given by its 32-byte hash, or a call in the format of `eth_call`. */
export type Executable = Uint8Array | CallRequest;

export const executable: Codec<Executable> = {
  decode: (value, path) =>
    isObject(value) ? transactionRequest.decode(value, path) : hash32.decode(value, path),
};
