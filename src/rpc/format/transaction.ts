import type { EOACode7702AuthorizationListBytes } from '@ethereumjs/util';
import type { Block, Header, Transaction } from '../../chain/block.ts';
import { DEPOSIT_RECEIPT_VERSION } from '../../chain/store/block-codec.ts';
import { TRANSACTION_FIELDS, type TransactionFieldName } from '../../core/tables/fields.ts';
import { effectiveTip, feesOf } from '../../mempool/fees.ts';
import { type ChainTransaction, DEPOSIT_TYPE } from '../../protocol/op-stack/deposit-transaction.ts';
import { type Hex, hex, quantity } from '../codec/hex.ts';

/** A transaction in geth's format. Fields that its type doesn't have are omitted. */
export type RpcTransaction = Readonly<Partial<Record<TransactionFieldName, unknown>>>;

type FeeMarketTransaction = Extract<ChainTransaction, { maxFeePerGas: bigint }>;

/** Whether the type has EIP-1559 fees: types 2, 3 (EIP-4844) and 4 (EIP-7702). */
const hasFeeMarket = (tx: ChainTransaction): tx is FeeMarketTransaction => tx.type >= 2 && tx.type <= 4;

/** Returns the effective gas price in the block with this header, in wei per gas; the fee cap without a header. */
export function gasPrice(tx: ChainTransaction, header: Header | undefined): bigint {
  if (!hasFeeMarket(tx)) return tx.gasPrice;
  if (!header) return tx.maxFeePerGas;
  const baseFee = header.baseFeePerGas ?? 0n;
  return baseFee + effectiveTip(feesOf(tx), baseFee);
}

/** The sealed or open block of a transaction, and its index there. */
interface Place {
  readonly block: Block;
  readonly index: number;
}

type Member = (tx: ChainTransaction, place: Place | undefined, transaction: Transaction) => unknown;

/** Returns each field of a transaction; `undefined` for a field that this transaction lacks, although others of its type have it. */
const MEMBERS: Readonly<Record<TransactionFieldName, Member>> = {
  blockHash: (_, place) => (place ? hex(place.block.hash) : null),
  blockNumber: (_, place) => (place ? quantity(place.block.header.number) : null),
  blockTimestamp: (_, place) => (place ? quantity(place.block.header.timestamp) : null),
  // As on Base since Denim: only on chains with more than one block per second.
  blockTimestampMs: (_, place) => some(place?.block.timestampMs, quantity),
  transactionIndex: (_, place) => (place ? quantity(place.index) : null),
  hash: (_tx, _place, { hash }) => hex(hash),
  type: ({ type }) => quantity(type),
  from: (_tx, _place, { from }) => from.toString(),
  to: ({ to }) => to?.toString() ?? null,
  nonce: (tx, place) => quantity(tx.type === DEPOSIT_TYPE ? depositNonce(tx, place) : tx.nonce),
  gas: ({ gasLimit }) => quantity(gasLimit),
  gasPrice: (tx, place) => quantity(gasPrice(tx, place?.block.header)),
  maxFeePerGas: (tx) => some(hasFeeMarket(tx) ? tx.maxFeePerGas : undefined, quantity),
  maxPriorityFeePerGas: (tx) => some(hasFeeMarket(tx) ? tx.maxPriorityFeePerGas : undefined, quantity),
  maxFeePerBlobGas: (tx) => some(tx.type === 3 ? tx.maxFeePerBlobGas : undefined, quantity),
  blobVersionedHashes: (tx) => (tx.type === 3 ? tx.blobVersionedHashes : undefined),
  value: ({ value }) => quantity(value),
  input: ({ data }) => hex(data),
  accessList: (tx) => some('accessList' in tx ? tx.accessList : undefined, formatAccessList),
  authorizationList: (tx) => some(tx.type === 4 ? tx.authorizationList : undefined, formatAuthorizations),
  // The fields of a deposit are those of op-geth.
  sourceHash: (tx) => some(tx.type === DEPOSIT_TYPE ? tx.sourceHash : undefined, hex),
  mint: (tx) => some(tx.type === DEPOSIT_TYPE ? tx.mint : undefined, quantity),
  isSystemTx: (tx) => (tx.type === DEPOSIT_TYPE && tx.isSystemTransaction ? true : undefined),
  depositReceiptVersion: (_, place) => (place ? quantity(DEPOSIT_RECEIPT_VERSION) : undefined),
  chainId: (tx) => some(chainIdOf(tx), quantity),
  // The signature is zero for a deposit, and for an impersonated transaction.
  v: (tx) => quantity(signatureOf(tx).v ?? 0n),
  r: (tx) => quantity(signatureOf(tx).r ?? 0n),
  s: (tx) => quantity(signatureOf(tx).s ?? 0n),
  yParity: (tx) => quantity(signatureOf(tx).v ?? 0n),
};

/** @param place absent for a waiting transaction */
export function formatTransaction(transaction: Transaction, place?: Place): RpcTransaction {
  const { tx } = transaction;
  const formatted: Partial<Record<TransactionFieldName, unknown>> = {};
  for (const { name, types } of TRANSACTION_FIELDS) {
    if (types && !types.includes(tx.type)) continue;
    const value = MEMBERS[name](tx, place, transaction);
    if (value !== undefined) formatted[name] = value;
  }
  return formatted;
}

function some<T, Shown>(value: T | undefined, show: (value: T) => Shown): Shown | undefined {
  return value === undefined ? undefined : show(value);
}

function formatAccessList(list: readonly (readonly [Uint8Array, readonly Uint8Array[]])[]) {
  return list.map(([address, slots]) => ({ address: hex(address), storageKeys: slots.map(hex) }));
}

function signatureOf(tx: ChainTransaction): { readonly [Part in 'v' | 'r' | 's']?: bigint | undefined } {
  return tx.type === DEPOSIT_TYPE ? {} : tx;
}

/**
 * Returns the chain id. For a legacy transaction it is in the signature: v = 35 + 2 * chain id + parity (EIP-155); v of 27 or 28 has no
 * chain id.
 */
function chainIdOf(tx: ChainTransaction): bigint | undefined {
  if (tx.type === DEPOSIT_TYPE) return undefined;
  if (tx.type !== 0) return tx.chainId;
  const { v = 0n } = tx;
  return v >= 35n ? (v - 35n) / 2n : undefined;
}

/** Returns the nonce that the sender had, as op-geth does. */
function depositNonce(tx: ChainTransaction, place: Place | undefined): bigint {
  return place?.block.receipts[place.index]?.depositNonce ?? tx.nonce;
}

/** EIP-7702 */
function formatAuthorizations(list: EOACode7702AuthorizationListBytes) {
  return list.map(([chainId, address, nonce, yParity, r, s]) => ({
    chainId: integer(chainId),
    address: hex(address),
    nonce: integer(nonce),
    yParity: integer(yParity),
    r: integer(r),
    s: integer(s),
  }));
}

/** Formats a big-endian integer without leading zeros, as RLP encodes it. */
function integer(bytes: Uint8Array): Hex {
  return bytes.length === 0 ? '0x0' : quantity(BigInt(hex(bytes)));
}
