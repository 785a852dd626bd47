import type { Transaction } from '../../chain/block.ts';
import { DevnetError } from '../../errors.ts';

/** Returns transactions to a mempool, in the given order. @param refused called with each rejected transaction and the reason */
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
