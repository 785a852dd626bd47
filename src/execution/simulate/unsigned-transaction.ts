import { bytesToHex } from '@ethereumjs/util';
import type { Transaction } from '../../chain/block.ts';
import { encodeTransaction } from '../../evm/encode-transaction.ts';
import type { SignedTransaction } from '../../evm/signed-transaction.ts';
import type { Message } from '../../evm/types.ts';
import { depositOf } from '../../mempool/sign.ts';
import { keccak256 } from '../../state/keccak.ts';

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
