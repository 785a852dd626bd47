import type { Chain } from '../../chain/chain.ts';
import type { Mempool, PoolSnapshot } from '../../mempool/mempool.ts';
import type { Feed } from '../feed/feed.ts';

/** Reports the transactions of an earlier mempool that are neither in the mempool any more nor in a block. */
export function reportLost(
  { entries }: PoolSnapshot,
  reason: string,
  { chain, mempool, feed }: { readonly chain: Chain; readonly mempool: Mempool; readonly feed: Feed },
): void {
  for (const { transaction } of entries)
    if (!mempool.has(transaction.hash) && !chain.findTransaction(transaction.hash))
      feed.emit('dropped', { transaction, reason });
}
