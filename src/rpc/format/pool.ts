import { toChecksumAddress } from '@ethereumjs/util';
import type { Transaction } from '../../chain/block.ts';
import { DEPOSIT_TYPE } from '../../evm/deposit-transaction.ts';
import { hex } from '../codec/hex.ts';

type BySender = ReadonlyMap<string, readonly Transaction[]>;

/** Sender (with the checksum of EIP-55, as geth prints it) -> nonce in decimal digits -> what `format` makes. */
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

/** Nonce in decimal digits -> what `format` makes. */
export function formatNonces<T>(
  transactions: readonly Transaction[],
  format: (waiting: Transaction) => T,
): Record<string, T> {
  return Object.fromEntries(transactions.map((waiting) => [keyOf(waiting), format(waiting)]));
}

/** A deposit has no nonce: its hash stands in its place. */
function keyOf({ tx, hash }: Transaction): string {
  return tx.type === DEPOSIT_TYPE ? hex(hash) : tx.nonce.toString();
}

/** geth's line of `txpool_inspect`. Price is the fee cap, in wei per gas. */
export function formatSummary({ tx }: Transaction): string {
  const to = tx.to ? toChecksumAddress(tx.to.toString()) : 'contract creation';
  const price = 'maxFeePerGas' in tx ? tx.maxFeePerGas : tx.gasPrice;
  return `${to}: ${tx.value} wei + ${tx.gasLimit} gas × ${price} wei`;
}
