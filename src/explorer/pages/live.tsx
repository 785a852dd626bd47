import { useEffect, useState } from 'preact/hooks';
import { store } from '../app.ts';
import { preconfirms } from '../data/feed.ts';
import { searchTransactions } from '../data/history.ts';
import { NewestBlocks, PendingBlock } from '../live/newest-blocks.tsx';
import { RecentTransactions } from '../live/recent-transactions.tsx';
import { Welcome } from '../live/welcome.tsx';

/** The live view of the chain. */
export function Live() {
  const status = store.status.value;
  const isEmpty = useIsEmpty();
  if (!status) return <p class="dim">waiting for the node …</p>;
  return (
    <div class="live">
      <h1 class="sr">Live</h1>
      {isEmpty && <Welcome chainId={status.chainId} />}
      {preconfirms(status) ? <PendingBlock /> : <NewestBlocks />}
      <RecentTransactions />
    </div>
  );
}

/** Whether the chain has no transactions at all. The newest blocks alone may be empty on any chain. */
function useIsEmpty(): boolean {
  const [before, setBefore] = useState<boolean>();
  const head = store.sealed.value.at(-1);
  useEffect(() => {
    if (!head || before !== undefined) return;
    searchTransactions({ limit: 1 }).then(
      ({ transactions }) => setBefore(transactions.length > 0),
      () => {
        // The request is sent again with the next block.
      },
    );
  }, [head?.hash, before]);
  return before === false && store.recent.value.length === 0;
}
