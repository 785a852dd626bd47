import { count, gwei } from '../format.ts';
import type { Hex, Transaction } from './types.ts';

/** The result of `txpool_content`. */
export type Pool = Readonly<
  Record<'pending' | 'queued', Readonly<Record<Hex, Readonly<Record<string, Transaction>>>>>
>;

/** The maximum fee per gas of a transaction, wei per gas. */
export function capOf({ maxFeePerGas, gasPrice }: Transaction): Hex {
  return maxFeePerGas ?? gasPrice ?? '0x0';
}

/** A transaction in the mempool, with the reason why it waits. */
export interface Waits {
  readonly transaction: Transaction;
  readonly reason: string;
  /** whether it stays there until another transaction or a lower base fee comes */
  readonly stuck: boolean;
}

/**
 * Why each transaction waits: a nonce gap, a fee cap below the base fee, an earlier transaction that waits, or the next block.
 * @param facts.nonces the next nonce of senders with a nonce gap
 * @param facts.ready what executable transactions wait for, such as `block`
 */
export function reasons(
  pool: Pool,
  { baseFee, nonces, ready }: { baseFee: bigint; nonces: ReadonlyMap<string, number>; ready: string },
): Waits[] {
  const byNonce = (bySender: Readonly<Record<string, Transaction>>) =>
    Object.values(bySender).sort((a, b) => Number(a.nonce) - Number(b.nonce));
  const executable = Object.values(pool.pending).flatMap((bySender) => {
    let before: Transaction | undefined;
    return byNonce(bySender).map((transaction) => {
      if (BigInt(capOf(transaction)) < baseFee) before ??= transaction;
      if (!before) return { transaction, reason: `for the next ${ready}`, stuck: false };
      const reason =
        before === transaction
          ? `fee cap ${fee(BigInt(capOf(transaction)))} is below the base fee, ${fee(baseFee)}`
          : `after nonce ${count(before.nonce)}, whose fee cap is too low`;
      return { transaction, reason, stuck: true };
    });
  });
  const queued = Object.entries(pool.queued).flatMap(([sender, bySender]) => {
    let next = nonces.get(sender) ?? 0;
    return byNonce(bySender).map((transaction) => {
      const nonce = Number(transaction.nonce);
      const reason = nonce > next ? gap(next, nonce - 1) : `after nonce ${count(nonce - 1)}, which waits`;
      next = nonce + 1;
      return { transaction, reason, stuck: true };
    });
  });
  return [...queued, ...executable];
}

function gap(first: number, last: number): string {
  return first === last
    ? `nonce gap: nonce ${count(first)} is missing`
    : `nonce gap: nonces ${count(first)} to ${count(last)} are missing`;
}

function fee(wei: bigint): string {
  return wei < 1_000_000n ? `${count(wei)} wei` : `${gwei(wei)} gwei`;
}
