import { Address, type EOACode7702AuthorizationListBytes, hexToBytes } from '@ethereumjs/util';
import { type ChainTransaction, DEPOSIT_TYPE } from '../protocol/op-stack/deposit-transaction.ts';
import type { AccessList, Message } from '../protocol/types.ts';
import { readItem } from '../state/rlp-items.ts';

/** A decoded transaction with its sender. */
export interface Executable {
  readonly tx: ChainTransaction;
  readonly from: Address;
  /** EIP-2718 encoding, without blobs */
  readonly raw: Uint8Array;
  /** True if `tx` and `from` are computed lazily, by decoding the encoding and recovering the sender. An engine may do that itself. */
  readonly isEncoded?: boolean | undefined;
}

/** The type of a transaction, from its encoding (EIP-2718): a legacy one is a list in RLP. */
export function typeOf(raw: Uint8Array): number {
  return raw[0]! < 0x80 ? raw[0]! : 0;
}

/** How many fields a transaction has before its recipient, by type: EIP-155, 2930, 1559, 4844, 7702. */
const BEFORE_RECIPIENT = [3, 4, 5, 5, 5];
/** source hash and sender: specs.optimism.io/protocol/deposits.html */
const BEFORE_RECIPIENT_OF_DEPOSIT = 2;

/** The recipient of a transaction, read from its valid encoding; `undefined` if it creates a contract. */
export function recipientOf(raw: Uint8Array): Address | undefined {
  const type = typeOf(raw);
  let at = readItem(raw, type === 0 ? 0 : 1).start;
  const before = type === DEPOSIT_TYPE ? BEFORE_RECIPIENT_OF_DEPOSIT : BEFORE_RECIPIENT[type]!;
  for (let field = 0; field < before; field++) at = readItem(raw, at).end;
  const { start, end } = readItem(raw, at);
  return start === end ? undefined : new Address(raw.subarray(start, end));
}

/** The fields that only some transaction types have. */
interface Fields {
  readonly gasPrice?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
  readonly maxFeePerBlobGas?: bigint;
  readonly accessList?: readonly (readonly [Uint8Array, readonly Uint8Array[]])[];
  readonly blobVersionedHashes?: readonly `0x${string}`[];
  readonly authorizationList?: EOACode7702AuthorizationListBytes;
}

/** Converts a decoded transaction, with its sender and its encoding, to the engine's input. */
export function messageOf({ tx, from, raw }: Executable): Message {
  const fields = tx as ChainTransaction & Fields;
  const legacyPrice = fields.gasPrice ?? 0n;
  // No object spreads here: they would cost more time than the rest of the function.
  const message: { -readonly [K in keyof Message]: Message[K] } = {
    type: tx.type,
    from,
    nonce: tx.nonce,
    gasLimit: tx.gasLimit,
    value: tx.value,
    data: tx.data,
    maxFeePerGas: fields.maxFeePerGas ?? legacyPrice,
    maxPriorityFeePerGas: fields.maxPriorityFeePerGas ?? legacyPrice,
    accessList: fields.accessList?.length ? fields.accessList.map(accessOf) : NO_ACCESS,
    raw,
  };
  if (tx.to) message.to = tx.to;
  if (fields.blobVersionedHashes) {
    message.blobVersionedHashes = fields.blobVersionedHashes.map((hash) => hexToBytes(hash));
    message.maxFeePerBlobGas = fields.maxFeePerBlobGas ?? 0n;
  }
  if (fields.authorizationList) message.authorizationList = fields.authorizationList;
  if (tx.type === DEPOSIT_TYPE) message.deposit = tx;
  return message;
}

const NO_ACCESS: AccessList = [];

function accessOf([address, storageKeys]: readonly [Uint8Array, readonly Uint8Array[]]) {
  return { address: new Address(address), storageKeys };
}
