import type { TrieBlock } from '../../chain/block.ts';
import type { Chain } from '../../chain/chain.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import { type Awaitable, andThen } from '../../state/view.ts';
import type { Feed } from '../feed/feed.ts';
import type { OpenRecord, PreparedStart } from '../mining/producer.ts';
import type { Settings, SettingsRecord } from '../settings.ts';
import type { Turn } from '../turn.ts';
import { readmit } from './readmit.ts';
import { reportLost } from './report-lost.ts';
import type { Snapshot } from './snapshots.ts';

export interface RewindDeps {
  readonly chain: Chain;
  readonly mempool: Mempool;
  readonly settings: Settings;
  readonly feed: Feed;
}

interface Options {
  readonly restorePool: () => unknown;
  /** called once the chain has been rolled back */
  readonly onGone?: () => void;
}

/**
 * Rolls the chain back to an earlier block, and continues from there with other settings, another mempool, and an open block. The open
 * block is made before anything is written: if it can't be made, everything stays as it was.
 */
export function rewind(
  turn: Turn,
  to: Pick<Snapshot, 'number' | 'stateRoot'>,
  options: Options & { settings: SettingsRecord; open?: OpenRecord | undefined },
  deps: RewindDeps,
): Awaitable<void> {
  const { chain, settings } = deps;
  const { open, settings: record } = options;
  const { number, stateRoot } = to;
  const preparing = () => {
    settings.restore(record);
    return andThen(chain.blockBehind(number, stateRoot), (head) =>
      andThen(turn.producer.prepare(head, open), (start) => ({ head, start })),
    );
  };
  return andThen(restoringSettings(preparing, settings), ({ head, start }) =>
    andThen(rewindAs(turn, { number, stateRoot, head, start }, options, deps), () =>
      settings.defer(record.next),
    ),
  );
}

/** Rolls the chain back to an earlier block. The producer is already prepared to continue from that block. */
export function rewindAs(
  turn: Turn,
  to: Pick<Snapshot, 'number' | 'stateRoot'> & { readonly head: TrieBlock; readonly start: PreparedStart },
  options: Options,
  deps: RewindDeps,
): Awaitable<void> {
  const { chain, feed, mempool } = deps;
  const from = chain.latest.header.number;
  const removing = feed.has('removed') ? chain.above(to.number) : undefined;
  return andThen(removing, (removed) =>
    andThen(chain.rollbackTo(to.number, to.stateRoot, to.head), () => {
      options.onGone?.();
      let waiting = mempool.freeze();
      const onShown = () => {
        waiting = mempool.freeze();
        options.restorePool();
        if (from === to.number) return;
        feed.emit('rewound', { from, to: to.number });
        if (removed) feed.emit('removed', removed);
      };
      return andThen(continueFrom(to.start, turn, deps, onShown), () =>
        reportLost(waiting(), `the mempool went back with the chain, to block ${to.number}`, deps),
      );
    }),
  );
}

/** Shows a producer's prepared start. Recorded transactions that can't be included in the open block return to the mempool. */
export function continueFrom(
  start: PreparedStart,
  { admit }: Turn,
  { feed }: Pick<RewindDeps, 'feed'>,
  onShown: () => void,
): Awaitable<void> {
  start.show(onShown);
  if (start.left.length === 0) return undefined;
  return readmit(start.left, admit, (transaction, reason) => feed.emit('dropped', { transaction, reason }));
}

/** Runs a task that changes settings. If it fails, restores the settings. */
export function restoringSettings<T>(task: () => Awaitable<T>, settings: Settings): Awaitable<T> {
  const putBack = settings.keep();
  const failed = (error: unknown): never => {
    putBack();
    throw error;
  };
  try {
    const result = task();
    return result instanceof Promise ? result.catch(failed) : result;
  } catch (error) {
    return failed(error);
  }
}
