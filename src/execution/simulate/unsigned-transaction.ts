import { bytesToHex, concatBytes } from '@ethereumjs/util';
import type { Transaction } from '../../chain/block.ts';
import type { SignedTransaction } from '../../evm/signed-transaction.ts';
import type { Message } from '../../evm/types.ts';
import { depositOf } from '../../mempool/sign.ts';
import { EMPTY_BYTES } from '../../state/account.ts';
import { integerBytes } from '../../state/integers.ts';
import { keccak256 } from '../../state/keccak.ts';
import { encodeRlp, type RlpInput } from '../../state/rlp-items.ts';

/** v (or yParity), r, s */
export type Signature = readonly [bigint, bigint, bigint];
const UNSIGNED: Signature = [0n, 0n, 0n];

/**
 * Encodes a simulated call as a transaction of its type with an empty signature, so that its hash and the transactions
 * root are the same as geth's. It doesn't use EthereumJS, which refuses values that a simulation may contain (gas
 * price times gas above 2^256, a priority fee above the fee cap).
 */
export function unsignedTransaction(message: Message, chainId: bigint): Transaction {
  if (message.deposit) return depositOf(message, message.deposit);
  const raw = encodeTransaction(message, chainId);
  const accessList = message.accessList.map(({ address, storageKeys }) => [address.bytes, [...storageKeys]]);
  const tx = {
    type: message.type,
    to: message.to,
    nonce: message.nonce,
    gasLimit: message.gasLimit,
    gasPrice: message.maxFeePerGas,
    maxFeePerGas: message.maxFeePerGas,
    maxPriorityFeePerGas: message.maxPriorityFeePerGas,
    maxFeePerBlobGas: message.maxFeePerBlobGas,
    value: message.value,
    data: message.data,
    accessList,
    blobVersionedHashes: message.blobVersionedHashes?.map((hash) => bytesToHex(hash)),
    authorizationList: message.authorizationList,
    chainId,
  };
  return {
    // Formatters only read these fields; nothing signs the transaction or recovers its sender.
    tx: tx as unknown as SignedTransaction,
    from: message.from,
    hash: keccak256(raw),
    raw,
    impersonated: true,
  };
}

/** The EIP-2718 encoding of a transaction; RLP for a legacy one. */
export function encodeTransaction(
  message: Omit<Message, 'from'>,
  chainId: bigint,
  signature: Signature = UNSIGNED,
): Uint8Array {
  const int = integerBytes;
  const signed = signature.map(int);
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
