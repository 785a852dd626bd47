import { RLP } from '@ethereumjs/rlp';
import type { Block, Header, Withdrawal } from '../../chain/block.ts';
import { hashHeader, headerFields } from '../../chain/header.ts';
import { HEADER_FIELDS } from '../../core/tables/fields.ts';
import { type Hex, hex, quantity } from '../codec/hex.ts';
import { formatTransaction } from './transaction.ts';

const FIELDS = HEADER_FIELDS.filter(({ name }) => name !== 'number');

/** The fields of a header in geth's format. */
export type RpcHeader = Record<string, Hex>;

/** Formats a header as geth does, as in notifications of `newHeads`. Fields that the header's hardfork doesn't have are omitted. */
export function formatHeader({
  header,
  hash,
  timestampMs,
}: Pick<Block, 'header' | 'hash' | 'timestampMs'>): RpcHeader {
  const formatted: RpcHeader = { number: quantity(header.number), hash: hex(hash) };
  for (const { name, rpc } of FIELDS) {
    const value = header[name];
    if (value === undefined) continue;
    if (typeof value === 'bigint') formatted[rpc ?? name] = quantity(value);
    else formatted[rpc ?? name] = hex(value instanceof Uint8Array ? value : value.bytes);
  }
  // As on Base since Denim: only on chains with more than one block per second.
  if (timestampMs !== undefined) formatted.timestampMs = quantity(timestampMs);
  return formatted;
}

/** Formats a sealed, pending or simulated block. @param full whole transactions instead of their hashes */
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
