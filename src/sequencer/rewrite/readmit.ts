import type { Transaction } from '../../chain/block.ts';
import { DevnetError } from '../../errors.ts';
import type { Feed } from '../feed/feed.ts';
import type { Turn } from '../turn.ts';

/** Puts transactions back into the mempool, in their order; those that it refuses are dropped. */
export async function readmit(
  transactions: readonly Transaction[],
  { admit, feed }: Pick<Turn, 'admit'> & { feed: Feed },
): Promise<void> {
  for (const transaction of transactions) {
    try {
      await admit(transaction);
    } catch (error) {
      if (!(error instanceof DevnetError)) throw error;
      feed.emit('dropped', { transaction, reason: error.message });
    }
  }
}
