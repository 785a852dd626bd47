import type { EOACode7702AuthorizationListBytes } from '@ethereumjs/util';
import type { Block, Header, Transaction } from '../../chain/block.ts';
import { DEPOSIT_RECEIPT_VERSION } from '../../chain/store/block-codec.ts';
import { effectiveTip, feesOf } from '../../mempool/fees.ts';
import { type ChainTransaction, DEPOSIT_TYPE } from '../../protocol/op-stack/deposit-transaction.ts';
import { type Hex, hex, quantity } from '../codec/hex.ts';

/** A transaction in geth's format; fields that its type doesn't have are left out. */
export type RpcTransaction = ReturnType<typeof formatTransaction>;

type FeeMarketTransaction = Extract<ChainTransaction, { maxFeePerGas: bigint }>;

/** Whether the type has EIP-1559 fees: types 2, 3 (EIP-4844) and 4 (EIP-7702). */
const hasFeeMarket = (tx: ChainTransaction): tx is FeeMarketTransaction => tx.type >= 2 && tx.type <= 4;

/** The effective gas price in the block with this header, wei per gas; the fee cap without a header. */
export function gasPrice(tx: ChainTransaction, header: Header | undefined): bigint {
  if (!hasFeeMarket(tx)) return tx.gasPrice;
  if (!header) return tx.maxFeePerGas;
  const baseFee = header.baseFeePerGas ?? 0n;
  return baseFee + effectiveTip(feesOf(tx), baseFee);
}

/** @param place its sealed or open block and its index there; absent for a transaction in the mempool */
export function formatTransaction({ tx, from, hash }: Transaction, place?: { block: Block; index: number }) {
  const header = place?.block.header;
  return {
    blockHash: place ? hex(place.block.hash) : null,
    blockNumber: header ? quantity(header.number) : null,
    blockTimestamp: header ? quantity(header.timestamp) : null,
    // As on Base since Denim; only where blocks share a second.
    ...(place?.block.timestampMs !== undefined && {
      blockTimestampMs: quantity(place.block.timestampMs),
    }),
    transactionIndex: place ? quantity(place.index) : null,
    hash: hex(hash),
    type: quantity(tx.type),
    from: from.toString(),
    to: tx.to?.toString() ?? null,
    nonce: quantity(tx.type === DEPOSIT_TYPE ? depositNonce(tx, place) : tx.nonce),
    gas: quantity(tx.gasLimit),
    gasPrice: quantity(gasPrice(tx, header)),
    ...(hasFeeMarket(tx) && {
      maxFeePerGas: quantity(tx.maxFeePerGas),
      maxPriorityFeePerGas: quantity(tx.maxPriorityFeePerGas),
    }),
    ...(tx.type === 3 && {
      maxFeePerBlobGas: quantity(tx.maxFeePerBlobGas),
      blobVersionedHashes: tx.blobVersionedHashes,
    }),
    value: quantity(tx.value),
    input: hex(tx.data),
    ...((tx.type === 1 || hasFeeMarket(tx)) && {
      accessList: tx.accessList.map(([address, slots]) => ({
        address: hex(address),
        storageKeys: slots.map(hex),
      })),
    }),
    ...(tx.type === 4 && { authorizationList: formatAuthorizations(tx.authorizationList) }),
    // As in op-geth.
    ...(tx.type === DEPOSIT_TYPE && {
      sourceHash: hex(tx.sourceHash),
      mint: quantity(tx.mint),
      ...(tx.isSystemTransaction && { isSystemTx: true as const }),
      ...(place && { depositReceiptVersion: quantity(DEPOSIT_RECEIPT_VERSION) }),
    }),
    ...formatSignature(tx),
  };
}

/** As in op-geth: the nonce that the sender had. */
function depositNonce(tx: ChainTransaction, place?: { block: Block; index: number }): bigint {
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

/** The signature's fields; zeros for a deposit, and for an impersonated transaction without a signature. */
function formatSignature(tx: ChainTransaction): { v: Hex; r: Hex; s: Hex; chainId?: Hex; yParity?: Hex } {
  if (tx.type === DEPOSIT_TYPE) return { v: '0x0', r: '0x0', s: '0x0' };
  const v = tx.v ?? 0n;
  const rest = { v: quantity(v), r: quantity(tx.r ?? 0n), s: quantity(tx.s ?? 0n) };
  if (tx.type !== 0) return { chainId: quantity(tx.chainId), ...rest, yParity: quantity(v) };
  // EIP-155: v = 35 + 2 * chain id + parity. 27 and 28 contain no chain id.
  return v >= 35n ? { chainId: quantity((v - 35n) / 2n), ...rest } : rest;
}
