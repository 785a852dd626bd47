import { toChecksumAddress } from '@ethereumjs/util';
import type { Transaction } from '../../chain/block.ts';
import { DEPOSIT_TYPE } from '../../protocol/op-stack/deposit-transaction.ts';
import { hex } from '../codec/hex.ts';

type BySender = ReadonlyMap<string, readonly Transaction[]>;

/** Formats pool transactions by sender (with EIP-55 checksum, as in geth) and nonce (decimal digits). */
export function formatPool<T>(
  bySender: BySender,
  format: (waiting: Transaction) => T,
): Record<string, Record<string, T>> {
  const entries = [...bySender].map(
    ([sender, transactions]) =>
      [toChecksumAddress(sender as `0x${string}`), formatNonces(transactions, format)] as const,
  );
  return Object.fromEntries(entries);
}

/** Formats one sender's pool transactions by nonce (decimal digits). */
export function formatNonces<T>(
  transactions: readonly Transaction[],
  format: (waiting: Transaction) => T,
): Record<string, T> {
  return Object.fromEntries(transactions.map((waiting) => [keyOf(waiting), format(waiting)]));
}

/** Returns the nonce as a key; for a deposit, which has no nonce, the hash. */
function keyOf({ tx, hash }: Transaction): string {
  return tx.type === DEPOSIT_TYPE ? hex(hash) : tx.nonce.toString();
}

/** Formats a transaction as geth's `txpool_inspect` does. The price is the fee cap in wei per gas. */
export function formatSummary({ tx }: Transaction): string {
  const to = tx.to ? toChecksumAddress(tx.to.toString()) : 'contract creation';
  const price = 'maxFeePerGas' in tx ? tx.maxFeePerGas : tx.gasPrice;
  return `${to}: ${tx.value} wei + ${tx.gasLimit} gas × ${price} wei`;
}
