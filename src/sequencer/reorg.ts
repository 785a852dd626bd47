import type { BlockView, Transaction } from '../chain/block.ts';
import { type BlockPlan, openBlock, type TrieBlock } from '../chain/open-block.ts';
import { keccak256 } from '../state/keccak.ts';
import type { Awaitable } from '../state/view.ts';
import { fromList } from './fill.ts';
import { noncesIn } from './nonces-in.ts';
import type { Production } from './production.ts';
import { hasLogs } from './with-logs.ts';
import { type Rewriting, readmit } from './withdraw.ts';

/**
 * What the new blocks hold: all that waits then, which the transactions of the replaced blocks belong to with
 * `reinclude`; or a list for each, by its place from 0, asked for when those before it are sealed.
 */
export type Refill =
  | { readonly reinclude: boolean }
  | { readonly listAt: (place: number) => Awaitable<readonly Transaction[]> };

export interface ReorgOptions {
  /** of the newest block that stays */
  readonly number: bigint;
  readonly refill: Refill;
  /** what the open block holds; with `listAt` it is gone, else it goes back to the mempool */
  readonly preconfirmed: readonly Transaction[];
}

/**
 * Replaces sealed blocks by as many others of the same time. Dev writes on the blocks that are taken back go with them.
 * Nothing is open while it runs: `pending` is built when asked for.
 */
export async function reorg(
  { number, refill, preconfirmed }: ReorgOptions,
  { production, admit }: Rewriting,
): Promise<void> {
  const { chain, feed, mempool } = production.deps;
  const from = chain.latest.header.number;
  const removed = await chain.above(number);
  let head = await chain.rollbackTo(number);
  const nonceOf = await noncesIn(head.state, mempool);
  chain.moveTo(head, undefined);
  mempool.prune(nonceOf);
  feed.emit('back', { from, to: number });
  feed.emit(
    'removed',
    removed.filter(({ header }) => hasLogs(header)),
  );

  const replaced = removed.toReversed();
  const sealed = replaced.flatMap(({ transactions }) => transactions);
  const again = 'reinclude' in refill ? [...(refill.reinclude ? sealed : []), ...preconfirmed] : [];
  const kept = new Set(again);
  for (const transaction of [...sealed, ...preconfirmed])
    if (!kept.has(transaction)) feed.emit('dropped', { transaction, reason: 'its block was taken back' });
  await readmit(again, { production, admit });
  for (const [place, old] of replaced.entries()) {
    const list = 'listAt' in refill ? await refill.listAt(place) : undefined;
    head = await replace(production, old, head, list);
  }
}

/**
 * A block of the old one's time, with what waits, or with `list`. Its prevRandao is the hash of the old one's, so that
 * it is another one.
 */
async function replace(
  production: Production,
  old: BlockView,
  parent: TrieBlock,
  list: readonly Transaction[] | undefined,
): Promise<TrieBlock> {
  const { chain, engine, feed } = production.deps;
  const { timestamp, coinbase, gasLimit, extraData, mixHash, parentBeaconBlockRoot } = old.header;
  const plan: BlockPlan = {
    timestamp,
    coinbase,
    gasLimit,
    extraData,
    prevRandao: keccak256(mixHash),
    ...(parentBeaconBlockRoot && { parentBeaconBlockRoot }),
    ...(old.withdrawals && { withdrawals: old.withdrawals }),
  };
  const open = await openBlock(parent, plan, engine, (number) => chain.blockHash(number));
  const limits = { gas: gasLimit, transactions: Number.POSITIVE_INFINITY };
  const filled = await production.fill(open, limits, list && fromList(list));
  const block = await chain.store(await production.view(filled.open));
  production.show(filled, () => chain.moveTo(block, undefined));
  feed.emit('sealed', block);
  return block;
}
