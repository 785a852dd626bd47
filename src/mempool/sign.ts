import type { Common } from '@ethereumjs/common';
import { createTx, type TypedTransaction } from '@ethereumjs/tx';
import { bytesToHex, concatBytes, MAX_INTEGER } from '@ethereumjs/util';
import type { DevAccount } from '../accounts.ts';
import type { Transaction } from '../chain/block.ts';
import { DevnetError } from '../errors.ts';
import { encodeToSign, encodeTransaction } from '../protocol/encode-transaction.ts';
import { DepositTransaction } from '../protocol/op-stack/deposit-transaction.ts';
import type { AccessListFields, SignedTransaction } from '../protocol/signed-transaction.ts';
import type { AccessList, Deposit, Message } from '../protocol/types.ts';
import { integerOf, integerWord } from '../state/integers.ts';
import { keccak256 } from '../state/keccak.ts';
import { construct, transactionOf } from './decode.ts';
import { formRulesOf, isWellFormed, readSigned } from './read-signed.ts';

/** Makes a message's unsigned transaction. @throws DevnetError -32003 for invalid values, such as a tip above the fee cap */
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

/**
 * Makes a message's unsigned transaction with its encoding. @throws like {@link unsignedTransaction}
 * @param options.isProtected a legacy transaction gets the `v` of the chain id (EIP-155), as in anvil; otherwise 0, as in geth
 */
export function toBeSigned(
  message: Message,
  common: Common,
  options: { readonly isProtected: boolean },
): Transaction {
  const { from } = message;
  // With a placeholder signature, `signedFields` checks whether the message breaks a rule.
  const signed = signedFields(message, common, { parity: 0n, r: 1n, s: 1n });
  if (!signed) {
    const tx = unsignedTransaction(message, common);
    const raw = tx.serialize();
    return { tx, from, hash: keccak256(raw), raw, impersonated: false };
  }
  const v = options.isProtected && message.type === 0 ? signed.v : undefined;
  const raw = encodeTransaction(message, common.chainId(), [v ?? 0n, 0n, 0n]);
  const tx = { ...signed, v, r: undefined, s: undefined };
  return { tx, from, hash: keccak256(raw), raw, impersonated: false };
}

/** Makes a deposit transaction, which has no signature. */
export function depositOf(message: Message, deposit: Deposit): Transaction {
  return transactionOf(new DepositTransaction({ ...message, ...deposit }));
}

/**
 * Makes a message's transaction and signs it with the key of one of the node's accounts.
 * @throws DevnetError -32003 for bad values; a chain id of 0 or above 2^52 has no legacy signatures (EIP-155)
 */
export function signTransaction(message: Message, account: DevAccount, common: Common): Transaction {
  const { ecsign } = common.customCrypto;
  if (ecsign && isEncodedHere(message)) {
    const toSign = encodeToSign(message, common.chainId());
    const signature = ecsign(keccak256(toSign), account.privateKey, { prehash: false, format: 'recovered' });
    const signed = withSignature(message, common, {
      parity: BigInt(signature[0]!),
      r: integerOf(signature.subarray(1, 33)),
      s: integerOf(signature.subarray(33)),
    });
    if (signed) return Object.assign(signed, { from: account.address, impersonated: false });
  }
  const unsigned = unsignedTransaction(message, common);
  const tx = construct(() => unsigned.sign(account.privateKey));
  const raw = tx.serialize();
  return { tx, from: account.address, hash: keccak256(raw), raw, impersonated: false };
}

/**
 * Makes a transaction of an impersonated sender. Its signature is well-formed, but not the sender's: r and s are derived from
 * sender and nonce, so that transactions of different senders have different hashes, and a replay gives the same hash.
 */
export function impersonate(message: Message, common: Common): Transaction {
  const { from, nonce } = message;
  const seed = keccak256(concatBytes(from.bytes, integerWord(nonce)));
  // Makes both less than half the curve's order (EIP-2), and not zero.
  const r = integerOf(seed.subarray(1)) | 1n;
  const s = integerOf(seed.subarray(0, 31)) | 1n;
  const signed = withSignature(message, common, { parity: 0n, r, s });
  if (signed) return Object.assign(signed, { from, impersonated: true });
  const unsigned = unsignedTransaction(message, common);
  const tx = construct(() => unsigned.addSignature(0n, r, s, true));
  const raw = tx.serialize();
  return { tx, from, hash: keccak256(raw), raw, impersonated: true };
}

/** A signature. */
interface Signing {
  /** parity of the curve point's y coordinate */
  readonly parity: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

/**
 * Encodes a message with its signature, in less than half the time that EthereumJS takes.
 * @returns `undefined` if the rules don't allow the transaction: the caller then lets EthereumJS report the reason
 */
function withSignature(
  message: Message,
  common: Common,
  signing: Signing,
): { readonly tx: SignedTransaction; readonly hash: Uint8Array; readonly raw: Uint8Array } | undefined {
  const tx = signedFields(message, common, signing);
  if (!tx) return undefined;
  const raw = encodeTransaction(message, common.chainId(), [tx.v!, signing.r, signing.s]);
  return { tx, hash: keccak256(raw), raw };
}

/** Whether this module can encode the message's transaction. */
function isEncodedHere({ deposit, type, maxFeePerGas, maxPriorityFeePerGas }: Message): boolean {
  return !deposit && type <= 4 && maxFeePerGas <= MAX_INTEGER && maxPriorityFeePerGas <= MAX_INTEGER;
}

/**
 * The fields of a message's transaction with a signature.
 * @returns `undefined` if the rules don't allow the transaction
 */
function signedFields(message: Message, common: Common, signing: Signing): SignedTransaction | undefined {
  if (!isEncodedHere(message)) return undefined;
  const { type, nonce, gasLimit, to, value, data, maxFeePerGas, maxPriorityFeePerGas } = message;
  const { parity, r, s } = signing;
  const chainId = common.chainId();
  const rules = formRulesOf(common);
  const v = type === 0 ? 35n + 2n * chainId + parity : parity;
  // Blob and authorization lists have their own rules, which `readSigned` checks.
  if (type > 2) return readSigned(encodeTransaction(message, chainId, [v, r, s]), rules)?.tx;
  const accessList = accessListFields(message.accessList);
  const tx: SignedTransaction =
    type === 0
      ? { type, nonce, gasPrice: maxFeePerGas, gasLimit, to, value, data, v, r, s }
      : type === 1
        ? { type, chainId, nonce, gasPrice: maxFeePerGas, gasLimit, to, value, data, accessList, v, r, s }
        : {
            type: 2,
            chainId,
            nonce,
            maxFeePerGas,
            maxPriorityFeePerGas,
            gasLimit,
            to,
            value,
            data,
            accessList,
            v,
            r,
            s,
          };
  return isWellFormed(tx, rules) ? tx : undefined;
}

function accessListFields(list: AccessList): AccessListFields {
  return list.map(({ address, storageKeys }) => [address.bytes, storageKeys]);
}
