import { Address, bytesToInt, concatBytes } from '@ethereumjs/util';
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
 * Decodes a transaction from its EIP-2718 bytes (a legacy one from its RLP list). The header determines the hardfork
 * whose rules apply, since the constructor checks some of them (EIP-7825). Sender and hash are stored, so no
 * signature is recovered.
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

/** Version of a deposit's receipt in the OP Stack, since Canyon. */
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
 * Senders and hashes are stored because each would cost a signature recovery or a hash, and an impersonated sender
 * can't be recovered at all.
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

/** Transactions as items of a stored body's list. */
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

/** Encodes receipts for the store: all fields of {@link Receipt}, which is more than the consensus encoding has. */
export function encodeReceipts({
  receipts,
  storedItems,
}: Pick<Block, 'receipts' | 'storedItems'>): Uint8Array {
  return listOfItems(storedItems?.receipts ?? receiptItems(receipts));
}

/** Receipts as items of the stored list. */
export function receiptItems(receipts: readonly Receipt[]): Uint8Array[] {
  return receipts.map((receipt) => receipt.encodings?.stored ?? encodeRlp(receiptFields(receipt)));
}

function receiptFields(r: Receipt): RlpInput[] {
  return [
    integerBytes(BigInt(r.type)),
    optional(r.status === undefined ? undefined : Uint8Array.of(r.status ? 1 : 0)),
    optional(r.stateRoot),
    integerBytes(r.gasUsed),
    integerBytes(r.cumulativeGasUsed),
    r.logsBloom.some((byte) => byte !== 0) ? r.logsBloom : EMPTY,
    r.logs.map(logFields),
    optional(r.contractAddress?.bytes),
    integerBytes(r.effectiveGasPrice),
    optional(r.blobGasUsed),
    optional(r.blobGasPrice),
    // Optional, since chains stored by older versions lack it.
    ...(r.depositNonce === undefined ? [] : [optional(r.depositNonce)]),
  ];
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
  const present = (index: number) => list(fields[index])[0];
  const status = present(1);
  const stateRoot = present(2);
  const contractAddress = present(7);
  const blobGasUsed = present(9);
  const blobGasPrice = present(10);
  const depositNonce = fields.length > 11 ? present(11) : undefined;
  const bloom = leaf(fields[5]);
  return {
    type: bytesToInt(leaf(fields[0])),
    ...(status && { status: leaf(status)[0] === 1 }),
    ...(stateRoot && { stateRoot: leaf(stateRoot) }),
    gasUsed: integerOf(leaf(fields[3])),
    cumulativeGasUsed: integerOf(leaf(fields[4])),
    logsBloom: bloom.length > 0 ? bloom : new Uint8Array(BLOOM_BYTES),
    logs: list(fields[6]).map(logFromFields),
    ...(contractAddress && { contractAddress: new Address(leaf(contractAddress)) }),
    effectiveGasPrice: integerOf(leaf(fields[8])),
    ...(blobGasUsed && { blobGasUsed: integerOf(leaf(blobGasUsed)) }),
    ...(blobGasPrice && { blobGasPrice: integerOf(leaf(blobGasPrice)) }),
    ...(depositNonce && { depositNonce: integerOf(leaf(depositNonce)) }),
  };
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

/** RLP can't distinguish an absent number from zero, so absent is an empty list and present a list of one item. */
function optional(value: Uint8Array | bigint | undefined): Uint8Array[] {
  if (value === undefined) return [];
  return [typeof value === 'bigint' ? integerBytes(value) : value];
}

function list(item: RlpOutput | undefined): RlpOutput[] {
  if (!Array.isArray(item)) throw new Error('stored record: a list is missing');
  return item;
}

function leaf(item: RlpOutput | undefined): Uint8Array {
  if (item === undefined || Array.isArray(item)) throw new Error('stored record: a value is missing');
  return item;
}
