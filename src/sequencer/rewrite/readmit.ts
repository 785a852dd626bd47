import type { Transaction } from '../../chain/block.ts';
import { DevnetError } from '../../errors.ts';
import type { Feed } from '../feed/feed.ts';
import type { Turn } from '../turn.ts';

/** Returns transactions to the mempool, in their order. Those that it refuses are reported as dropped. */
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
