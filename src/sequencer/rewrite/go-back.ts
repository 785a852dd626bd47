import type { TrieBlock } from '../../chain/block.ts';
import type { Chain } from '../../chain/chain.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import { type Awaitable, andThen } from '../../state/view.ts';
import type { Feed } from '../feed/feed.ts';
import type { OpenRecord } from '../mining/block-producer.ts';
import type { Settings, SettingsRecord } from '../settings.ts';
import type { Turn } from '../turn.ts';
import { readmit } from './readmit.ts';
import { reportLost } from './report-lost.ts';
import type { Snapshot } from './snapshots.ts';

export interface GoBackDeps {
  readonly chain: Chain;
  readonly mempool: Mempool;
  readonly settings: Settings;
  readonly feed: Feed;
}

/** Goes back to an earlier block, and on from there with other settings, another mempool, and an open block. */
export function goBack(
  turn: Turn,
  to: Pick<Snapshot, 'number' | 'hash' | 'stateRoot'>,
  options: {
    settings: SettingsRecord;
    open?: OpenRecord | undefined;
    restorePool: () => unknown;
  },
  deps: GoBackDeps,
): Awaitable<void> {
  const { chain, feed, mempool, settings } = deps;
  const from = chain.latest.header.number;
  const removing = feed.has('removed') ? chain.above(to.number) : undefined;
  return andThen(removing, (removed) =>
    andThen(chain.rollbackTo(to.number, to.stateRoot), (head) => {
      settings.restore(options.settings);
      let waiting = mempool.freeze();
      const onShown = () => {
        waiting = mempool.freeze();
        options.restorePool();
        if (from === to.number) return;
        feed.emit('back', { from, to: to.number });
        if (removed) feed.emit('removed', removed);
      };
      const going = continueFrom(head, turn, deps, { open: options.open, onShown });
      return andThen(going, () => {
        settings.defer(options.settings.next);
        reportLost(waiting(), `the mempool went back with the chain, to block ${to.number}`, deps);
      });
    }),
  );
}

/** Continues from `head`. Recorded transactions that can't be included in the open block return to the mempool. */
export function continueFrom(
  head: TrieBlock,
  { producer, admit }: Turn,
  { feed }: Pick<GoBackDeps, 'feed'>,
  options: { open?: OpenRecord | undefined; onShown: () => void },
): Awaitable<void> {
  return andThen(producer.start(head, options), (left) =>
    left.length > 0 ? readmit(left, { admit, feed }) : undefined,
  );
}
