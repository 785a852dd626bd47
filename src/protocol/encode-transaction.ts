import { concatBytes } from '@ethereumjs/util';
import { EMPTY_BYTES } from '../state/account.ts';
import { integerBytes } from '../state/integers.ts';
import { encodeRlp, type RlpInput } from '../state/rlp-items.ts';
import type { Message } from './types.ts';

/** v (or yParity), r, s */
export type Signature = readonly [bigint, bigint, bigint];
const UNSIGNED: Signature = [0n, 0n, 0n];

/** The EIP-2718 encoding of a transaction; RLP for a legacy one. */
export function encodeTransaction(
  message: Omit<Message, 'from'>,
  chainId: bigint,
  signature: Signature = UNSIGNED,
): Uint8Array {
  return encodeWith(message, chainId, signature);
}

/** The encoding whose hash the sender signs: EIP-155, EIP-2718. */
export function encodeToSign(message: Omit<Message, 'from'>, chainId: bigint): Uint8Array {
  return encodeWith(message, chainId, message.type === 0 ? [chainId, 0n, 0n] : []);
}

/** @param last the integers after the fields of the message */
function encodeWith(message: Omit<Message, 'from'>, chainId: bigint, last: readonly bigint[]): Uint8Array {
  const int = integerBytes;
  const signed = last.map(int);
  const target = [int(message.gasLimit), message.to?.bytes ?? EMPTY_BYTES, int(message.value), message.data];
  if (message.type === 0) {
    return encodeRlp([int(message.nonce), int(message.maxFeePerGas), ...target, ...signed]);
  }
  const accessList: RlpInput = message.accessList.map(({ address, storageKeys }) => [
    address.bytes,
    [...storageKeys],
  ]);
  const fees =
    message.type === 1 ? [message.maxFeePerGas] : [message.maxPriorityFeePerGas, message.maxFeePerGas];
  const fields: RlpInput[] = [int(chainId), int(message.nonce), ...fees.map(int), ...target, accessList];
  if (message.type === 3)
    fields.push(int(message.maxFeePerBlobGas ?? 0n), [...(message.blobVersionedHashes ?? [])]);
  if (message.type === 4) fields.push(message.authorizationList as RlpInput);
  return concatBytes(Uint8Array.of(message.type), encodeRlp([...fields, ...signed]));
}
