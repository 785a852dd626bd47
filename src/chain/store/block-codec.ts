import { Address, bytesToInt, concatBytes } from '@ethereumjs/util';
import { RECEIPT_FIELDS, type ReceiptField, type ReceiptFieldName } from '../../core/tables/fields.ts';
import type { ChainTransaction } from '../../protocol/op-stack/deposit-transaction.ts';
import type { Log } from '../../protocol/types.ts';
import { integerBytes, integerOf } from '../../state/integers.ts';
import {
  decodeRlp,
  encodeItems,
  encodeRlp,
  listOfItems,
  type RlpInput,
  type RlpOutput,
} from '../../state/rlp-items.ts';
import type { Block, Header, Receipt, Transaction, Withdrawal } from '../block.ts';
import { headerFields, headerFromFields } from '../header.ts';

/**
 * Decodes a transaction from its EIP-2718 bytes, or a legacy transaction from its RLP list. The header determines the
 * hardfork, because EthereumJS's constructors check some of its rules (EIP-7825). Sender and hash are stored, so they aren't
 * recovered.
 */
export type DecodeTransaction = (raw: Uint8Array, header: Header) => ChainTransaction;

/** A block without its header and its receipts. */
export type Body = Pick<Block, 'transactions' | 'withdrawals' | 'uncles' | 'size' | 'storedItems'>;

const EMPTY = new Uint8Array(0);
const BLOOM_BYTES = 256;

/**
 * A block in the encoding of the network and of `chain.rlp`: [header, transactions, uncles, withdrawals since
 * Shanghai].
 */
export function encodeBlock(
  block: Pick<Block, 'header' | 'transactions' | 'withdrawals' | 'uncles'>,
): Uint8Array {
  const fields: RlpInput[] = [
    headerFields(block.header),
    // A legacy transaction is encoded as a list, an EIP-2718 one as a byte string.
    block.transactions.map(({ tx, raw }) => (tx.type === 0 ? decodeRlp(raw) : raw)),
    block.uncles.map(headerFields),
  ];
  if (block.withdrawals) fields.push(block.withdrawals.map(withdrawalFields));
  return encodeRlp(fields);
}

/** Version of a deposit's receipt in the OP Stack since Canyon. */
export const DEPOSIT_RECEIPT_VERSION = 1;

/**
 * The consensus encoding of a receipt, as in the receipts trie: [status or state root, cumulative gas, bloom, logs],
 * preceded by the type for types above 0 (EIP-2718, EIP-658). A deposit's receipt also has the sender's nonce and a
 * version (specs.optimism.io/protocol/deposits.html).
 */
export function encodeReceipt(receipt: Receipt): Uint8Array {
  if (receipt.encodings) return receipt.encodings.consensus;
  const fields: RlpInput[] = [
    receipt.stateRoot ?? (receipt.status ? Uint8Array.of(1) : EMPTY),
    integerBytes(receipt.cumulativeGasUsed),
    receipt.logsBloom,
    receipt.logs.map(logFields),
  ];
  if (receipt.depositNonce !== undefined)
    fields.push(integerBytes(receipt.depositNonce), integerBytes(BigInt(DEPOSIT_RECEIPT_VERSION)));
  const list = encodeRlp(fields);
  return receipt.type === 0 ? list : concatBytes(Uint8Array.of(receipt.type), list);
}

/** EIP-4895: [index, validator index, address, amount]. RLP-encoded, these are the items of the withdrawals trie. */
export function withdrawalFields(w: Withdrawal): Uint8Array[] {
  return [integerBytes(w.index), integerBytes(w.validatorIndex), w.address.bytes, integerBytes(w.amount)];
}

/**
 * Encodes a body for the store: [size, [[raw, hash, from, impersonated]...], uncles, withdrawals since Shanghai].
 * Senders and hashes are stored because recovering and hashing takes time, and an impersonated sender can't be recovered
 * at all.
 */
export function encodeBody(body: Body): Uint8Array {
  const rest: RlpInput[] = [body.uncles.map(headerFields)];
  if (body.withdrawals) rest.push(body.withdrawals.map(withdrawalFields));
  return listOfItems([
    encodeRlp(integerBytes(BigInt(body.size))),
    listOfItems(body.storedItems?.transactions ?? [transactionItems(body.transactions)]),
    encodeItems(rest),
  ]);
}

/** Encodes transactions as items of a stored body's list. */
export function transactionItems(transactions: readonly Transaction[]): Uint8Array {
  return encodeItems(
    transactions.map(({ raw, hash, from, impersonated }) => [
      raw,
      hash,
      from.bytes,
      impersonated ? Uint8Array.of(1) : EMPTY,
    ]),
  );
}

/** @throws Error when the bytes aren't a stored body */
export function decodeBody(bytes: Uint8Array, header: Header, decodeTransaction: DecodeTransaction): Body {
  const [size, transactions, uncles, withdrawals] = list(decodeRlp(bytes));
  return {
    size: bytesToInt(leaf(size)),
    transactions: list(transactions).map((stored): Transaction => {
      const [raw, hash, from, impersonated] = list(stored);
      return {
        tx: decodeTransaction(leaf(raw), header),
        hash: leaf(hash),
        raw: leaf(raw),
        from: new Address(leaf(from)),
        impersonated: leaf(impersonated).length > 0,
      };
    }),
    uncles: list(uncles).map(headerFromFields),
    ...(withdrawals && { withdrawals: list(withdrawals).map(withdrawalFromFields) }),
  };
}

/** The hashes of a stored body's transactions, without decoding them. */
export function decodeTransactionHashes(bytes: Uint8Array): Uint8Array[] {
  return list(list(decodeRlp(bytes))[1]).map((stored) => leaf(list(stored)[1]));
}

/** Encodes receipts for the store, with all fields of {@link Receipt}: more than in the consensus encoding. */
export function encodeReceipts({
  receipts,
  storedItems,
}: Pick<Block, 'receipts' | 'storedItems'>): Uint8Array {
  return listOfItems(storedItems?.receipts ?? receiptItems(receipts));
}

/** Encodes receipts as items of the stored list. */
export function receiptItems(receipts: readonly Receipt[]): Uint8Array[] {
  return receipts.map((receipt) => receipt.encodings?.stored ?? encodeRlp(receiptFields(receipt)));
}

/** RLP can't distinguish an absent number from zero, so an optional field is encoded as a list with one item, or as an empty list. */
function receiptFields(receipt: Receipt): RlpInput[] {
  const fields: RlpInput[] = [];
  for (const { name, form, optional, last } of RECEIPT_FIELDS) {
    const value = receipt[name];
    if (value === undefined && last) break;
    if (value === undefined) fields.push([]);
    else fields.push(optional ? [encodeField(form, value)] : encodeField(form, value));
  }
  return fields;
}

type ReceiptValue = NonNullable<Receipt[ReceiptFieldName]>;

function encodeField(form: ReceiptField['form'], value: ReceiptValue): RlpInput {
  if (typeof value === 'bigint' || typeof value === 'number') return integerBytes(BigInt(value));
  if (typeof value === 'boolean') return Uint8Array.of(value ? 1 : 0);
  if (value instanceof Address) return value.bytes;
  if (value instanceof Uint8Array)
    return form === 'bloom' && value.every((byte) => byte === 0) ? EMPTY : value;
  return value.map(logFields);
}

function decodeField(form: ReceiptField['form'], item: RlpOutput | undefined): ReceiptValue {
  if (form === 'logs') return list(item).map(logFromFields);
  const bytes = leaf(item);
  switch (form) {
    case 'type':
      return bytesToInt(bytes);
    case 'integer':
      return integerOf(bytes);
    case 'flag':
      return bytes[0] === 1;
    case 'address':
      return new Address(bytes);
    case 'bloom':
      return bytes.length > 0 ? bytes : new Uint8Array(BLOOM_BYTES);
    case 'bytes':
      return bytes;
  }
}

/** @throws Error when the bytes aren't stored receipts */
export function decodeReceipts(bytes: Uint8Array): Receipt[] {
  return list(decodeRlp(bytes)).map(receiptFromFields);
}

/** @throws Error when the bytes aren't an item of the stored list */
export function decodeReceipt(bytes: Uint8Array): Receipt {
  return receiptFromFields(decodeRlp(bytes));
}

function receiptFromFields(stored: RlpOutput): Receipt {
  const fields = list(stored);
  const receipt: Partial<Record<ReceiptFieldName, ReceiptValue>> = {};
  for (const [i, { name, form, optional, last }] of RECEIPT_FIELDS.entries()) {
    if (last && i >= fields.length) break;
    const item = optional ? list(fields[i])[0] : fields[i];
    if (item !== undefined || !optional) receipt[name] = decodeField(form, item);
  }
  // test/core/tables.test.ts checks that the table has exactly the members of a receipt.
  return receipt as unknown as Receipt;
}

function logFields(log: Log): RlpInput[] {
  return [log.address.bytes, [...log.topics], log.data];
}

function logFromFields(stored: RlpOutput): Log {
  const [address, topics, data] = list(stored);
  return { address: new Address(leaf(address)), topics: list(topics).map(leaf), data: leaf(data) };
}

export function withdrawalFromFields(stored: RlpOutput): Withdrawal {
  const [index, validatorIndex, address, amount] = list(stored);
  return {
    index: integerOf(leaf(index)),
    validatorIndex: integerOf(leaf(validatorIndex)),
    address: new Address(leaf(address)),
    amount: integerOf(leaf(amount)),
  };
}

function list(item: RlpOutput | undefined): RlpOutput[] {
  if (!Array.isArray(item)) throw new Error('stored record: a list is missing');
  return item;
}

function leaf(item: RlpOutput | undefined): Uint8Array {
  if (item === undefined || Array.isArray(item)) throw new Error('stored record: a value is missing');
  return item;
}
