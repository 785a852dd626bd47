import { RLP } from '@ethereumjs/rlp';
import type { Block, Header, Withdrawal } from '../../chain/block.ts';
import { hashHeader, headerFields } from '../../chain/header.ts';
import { type Hex, hex, quantity } from '../codec/hex.ts';
import { formatTransaction } from './transaction.ts';

/** The fields of a header in geth's format. */
export type RpcHeader = Record<string, Hex>;

/** A header in geth's format, as in notifications of `newHeads`; fields that its hardfork doesn't have are left out. */
export function formatHeader({
  header,
  hash,
  timestampMs,
}: Pick<Block, 'header' | 'hash' | 'timestampMs'>): RpcHeader {
  // Without spreads: they take longer than all else here.
  const formatted: RpcHeader = {
    number: quantity(header.number),
    hash: hex(hash),
    parentHash: hex(header.parentHash),
    nonce: hex(header.nonce),
    sha3Uncles: hex(header.unclesHash),
    logsBloom: hex(header.logsBloom),
    transactionsRoot: hex(header.transactionsRoot),
    stateRoot: hex(header.stateRoot),
    receiptsRoot: hex(header.receiptsRoot),
    miner: hex(header.coinbase.bytes),
    difficulty: quantity(header.difficulty),
    mixHash: hex(header.mixHash),
    extraData: hex(header.extraData),
    gasLimit: quantity(header.gasLimit),
    gasUsed: quantity(header.gasUsed),
    timestamp: quantity(header.timestamp),
  };
  // As on Base since Denim; only where blocks share a second.
  if (timestampMs !== undefined) formatted.timestampMs = quantity(timestampMs);
  if (header.baseFeePerGas !== undefined) formatted.baseFeePerGas = quantity(header.baseFeePerGas);
  if (header.withdrawalsRoot) formatted.withdrawalsRoot = hex(header.withdrawalsRoot);
  if (header.blobGasUsed !== undefined) formatted.blobGasUsed = quantity(header.blobGasUsed);
  if (header.excessBlobGas !== undefined) formatted.excessBlobGas = quantity(header.excessBlobGas);
  if (header.parentBeaconBlockRoot) formatted.parentBeaconBlockRoot = hex(header.parentBeaconBlockRoot);
  if (header.requestsHash) formatted.requestsHash = hex(header.requestsHash);
  if (header.blockAccessListHash) formatted.blockAccessListHash = hex(header.blockAccessListHash);
  if (header.slotNumber !== undefined) formatted.slotNumber = quantity(header.slotNumber);
  return formatted;
}

/** A sealed, pending or simulated block. @param full with full transactions instead of their hashes */
export function formatBlock(block: Block, full: boolean) {
  const { header, transactions } = block;
  return {
    ...formatHeader(block),
    size: quantity(block.size),
    transactions: full
      ? transactions.map((transaction, index) => formatTransaction(transaction, { block, index }))
      : transactions.map(({ hash }) => hex(hash)),
    uncles: block.uncles.map((uncle) => hex(hashHeader(uncle))),
    ...(header.withdrawalsRoot && { withdrawals: (block.withdrawals ?? []).map(formatWithdrawal) }),
  };
}

/** Formats an uncle as geth does: as a block without a list of transactions. */
export function formatUncle(uncle: Header) {
  const size = RLP.encode([headerFields(uncle), [], []]).length;
  return { ...formatHeader({ header: uncle, hash: hashHeader(uncle) }), size: quantity(size), uncles: [] };
}

export function formatWithdrawal(withdrawal: Withdrawal) {
  return {
    index: quantity(withdrawal.index),
    validatorIndex: quantity(withdrawal.validatorIndex),
    address: withdrawal.address.toString(),
    // gwei
    amount: quantity(withdrawal.amount),
  };
}
