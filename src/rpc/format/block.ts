import { RLP } from '@ethereumjs/rlp';
import type { Block, Header, Withdrawal } from '../../chain/block.ts';
import { hashHeader, headerFields } from '../../chain/header.ts';
import { hex, quantity } from '../codec/hex.ts';
import { formatTransaction } from './transaction.ts';

/** A header in geth's format, as in notifications of `newHeads`; fields that its hardfork doesn't have are left out. */
export function formatHeader({ header, hash, timestampMs }: Pick<Block, 'header' | 'hash' | 'timestampMs'>) {
  return {
    number: quantity(header.number),
    hash: hex(hash),
    parentHash: hex(header.parentHash),
    nonce: hex(header.nonce),
    sha3Uncles: hex(header.unclesHash),
    logsBloom: hex(header.logsBloom),
    transactionsRoot: hex(header.transactionsRoot),
    stateRoot: hex(header.stateRoot),
    receiptsRoot: hex(header.receiptsRoot),
    miner: header.coinbase.toString(),
    difficulty: quantity(header.difficulty),
    mixHash: hex(header.mixHash),
    extraData: hex(header.extraData),
    gasLimit: quantity(header.gasLimit),
    gasUsed: quantity(header.gasUsed),
    timestamp: quantity(header.timestamp),
    // As on Base since Denim; only where blocks share a second.
    ...(timestampMs !== undefined && { timestampMs: quantity(timestampMs) }),
    ...(header.baseFeePerGas !== undefined && { baseFeePerGas: quantity(header.baseFeePerGas) }),
    ...(header.withdrawalsRoot && { withdrawalsRoot: hex(header.withdrawalsRoot) }),
    ...(header.blobGasUsed !== undefined && { blobGasUsed: quantity(header.blobGasUsed) }),
    ...(header.excessBlobGas !== undefined && { excessBlobGas: quantity(header.excessBlobGas) }),
    ...(header.parentBeaconBlockRoot && { parentBeaconBlockRoot: hex(header.parentBeaconBlockRoot) }),
    ...(header.requestsHash && { requestsHash: hex(header.requestsHash) }),
  };
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
