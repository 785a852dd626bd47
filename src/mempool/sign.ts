import type { Common } from '@ethereumjs/common';
import { createTx } from '@ethereumjs/tx';
import { bytesToHex } from '@ethereumjs/util';
import type { DevAccount } from '../accounts.ts';
import type { Transaction } from '../chain/block.ts';
import type { Message } from '../evm/types.ts';

/** Signs a message as a transaction of its type, with an account that the node keeps the key of. */
export function signTransaction(message: Message, account: DevAccount, common: Common): Transaction {
  const legacyFees = message.type < 2;
  const unsigned = createTx(
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
  );
  const tx = unsigned.sign(account.privateKey);
  return { tx, from: account.address, hash: tx.hash(), raw: tx.serialize(), impersonated: false };
}
