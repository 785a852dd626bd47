import type { Transaction } from '../../chain/block.ts';
import { DevnetError } from '../../errors.ts';

/** Returns transactions to a mempool, in their order. @param refused called with those that it refuses, and the reason */
export async function readmit(
  transactions: readonly Transaction[],
  admit: (transaction: Transaction) => Promise<void>,
  refused: (transaction: Transaction, reason: string) => void,
): Promise<void> {
  for (const transaction of transactions) {
    try {
      await admit(transaction);
    } catch (error) {
      if (!(error instanceof DevnetError)) throw error;
      refused(transaction, error.message);
    }
  }
}
