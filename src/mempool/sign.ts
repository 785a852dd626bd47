import type { Common } from '@ethereumjs/common';
import { createTx, type TypedTransaction } from '@ethereumjs/tx';
import { bytesToHex, concatBytes } from '@ethereumjs/util';
import type { DevAccount } from '../accounts.ts';
import type { Transaction } from '../chain/block.ts';
import { DevnetError } from '../errors.ts';
import { DepositTransaction } from '../evm/deposit-transaction.ts';
import type { Deposit, Message } from '../evm/types.ts';
import { integerOf, integerWord } from '../state/integers.ts';
import { keccak256 } from '../state/keccak.ts';
import { construct, transactionOf } from './decode.ts';

/**
 * A message as a transaction of its type, without a signature.
 * @throws DevnetError -32003 for what no transaction may hold, such as a tip above the fee cap
 */
export function unsignedTransaction(message: Message, common: Common): TypedTransaction {
  if (message.deposit) throw new DevnetError('transactionRejected', { reason: 'nobody signs a deposit' });
  const legacyFees = message.type < 2;
  return construct(() =>
    createTx(
      {
        type: message.type,
        nonce: message.nonce,
        gasLimit: message.gasLimit,
        ...(message.to && { to: message.to }),
        value: message.value,
        data: message.data,
        ...(legacyFees
          ? { gasPrice: message.maxFeePerGas }
          : { maxFeePerGas: message.maxFeePerGas, maxPriorityFeePerGas: message.maxPriorityFeePerGas }),
        ...(message.type > 0 && {
          chainId: common.chainId(),
          accessList: message.accessList.map(({ address, storageKeys }) => ({
            address: bytesToHex(address.bytes),
            storageKeys: storageKeys.map((key) => bytesToHex(key)),
          })),
        }),
        ...(message.blobVersionedHashes && {
          blobVersionedHashes: message.blobVersionedHashes.map((hash) => bytesToHex(hash)),
          maxFeePerBlobGas: message.maxFeePerBlobGas ?? 0n,
        }),
        ...(message.authorizationList && { authorizationList: message.authorizationList }),
      },
      { common },
    ),
  );
}

/** A deposit as its transaction: nobody signs it. */
export function depositOf(message: Message, deposit: Deposit): Transaction {
  return transactionOf(new DepositTransaction({ ...message, ...deposit }));
}

/** Signs a message as a transaction of its type, with an account that the node keeps the key of. */
export function signTransaction(message: Message, account: DevAccount, common: Common): Transaction {
  const tx = unsignedTransaction(message, common).sign(account.privateKey);
  return { tx, from: account.address, hash: tx.hash(), raw: tx.serialize(), impersonated: false };
}

/**
 * A transaction of a sender that nobody signs for. Its signature is valid in form only; r and s follow from sender and
 * nonce, so that two senders never make the same hash and a replay makes the same again.
 */
export function impersonate(message: Message, common: Common): Transaction {
  const { from, nonce } = message;
  const seed = keccak256(concatBytes(from.bytes, integerWord(nonce)));
  // Both below half the curve's order (EIP-2), and not zero.
  const r = integerOf(seed.subarray(1)) | 1n;
  const s = integerOf(seed.subarray(0, 31)) | 1n;
  const tx = unsignedTransaction(message, common).addSignature(0n, r, s, true);
  return { tx, from, hash: tx.hash(), raw: tx.serialize(), impersonated: true };
}
