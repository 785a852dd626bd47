import type { Block, Transaction, TrieBlock } from '../../chain/block.ts';
import type { BlockPlan } from '../../chain/block-draft.ts';
import type { BlocksAbove } from '../../chain/blocks-above.ts';
import type { Chain } from '../../chain/chain.ts';
import type { Prepared } from '../../chain/stored-states.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import { keccak256 } from '../../state/keccak.ts';
import type { Awaitable } from '../../state/view.ts';
import type { CurrentTask } from '../current-task.ts';
import type { Dropped, Feed } from '../feed/feed.ts';
import type { Assembler } from '../mining/assembler.ts';
import { assertAnswered, fromList } from '../mining/fill.ts';
import { noncesIn } from '../nonces-in.ts';
import type { Settings } from '../settings.ts';
import type { Turn } from '../turn.ts';
import { readmit } from './readmit.ts';
import { continueFrom, restoringSettings } from './rewind.ts';

/** How many blocks' transactions are returned to the mempool before other work may run. */
const SLICE = 32;
/** How many blocks back the BLOCKHASH opcode can look. */
const HASHES = 256n;

/** A transaction that a caller requested for one of the new blocks. */
export interface RequestedTransaction {
  /** which of the new blocks it goes into, from 0 */
  readonly place: number;
  /** Makes the transaction. @param block the new block with the transactions before this one */
  readonly make: (block: TrieBlock) => Awaitable<Transaction>;
}

type ListAt = (place: number) => readonly Transaction[];

/** The blocks to replace, and the number of the block below them. */
interface Replaced {
  readonly number: bigint;
  readonly replaced: BlocksAbove;
}

export interface ReorgDeps {
  readonly assembler: Assembler;
  readonly chain: Chain;
  readonly current: CurrentTask;
  readonly feed: Feed;
  readonly mempool: Mempool;
  readonly settings: Settings;
}

export interface ReorgOptions extends Replaced {
  /**
   * The source of the new blocks' transactions: the mempool, to which `reinclude` first returns the removed blocks' transactions, or a
   * list for each block. The open block's transactions return to the mempool; with lists they are dropped.
   */
  readonly refill: { readonly reinclude: boolean } | { readonly listAt: ListAt };
}

/**
 * Makes the given transactions, and executes the new blocks up to the last block that contains one, before any block is removed.
 * @throws the error of `RequestedTransaction.make`, or DevnetError -32000 naming the first transaction that can't be included
 */
export async function prepareReorg(
  { number, replaced, given }: Replaced & { given: readonly RequestedTransaction[] },
  { assembler, chain }: Pick<ReorgDeps, 'assembler' | 'chain'>,
): Promise<ListAt> {
  const lists: Transaction[][] = [];
  const hashes = new Map<bigint, Uint8Array>();
  const last = Math.max(-1, ...given.map(({ place }) => place));
  let parent = (await chain.resolve({ number })) as TrieBlock;
  for (const old of replaced.oldestFirst()) {
    const place = lists.length;
    if (place > last) break;
    await assembler.pause();
    let open = await assembler.openAs(parent, planLike(old), (wanted) => hashes.get(wanted));
    const list: Transaction[] = [];
    for (const [index, one] of given.entries()) {
      if (one.place !== place) continue;
      const transaction = await one.make(await assembler.view(open));
      open = await assembler.include(open, [transaction], index);
      list.push(transaction);
    }
    lists.push(list);
    parent = await assembler.view(open);
    hashes.set(parent.header.number, parent.hash);
    hashes.delete(parent.header.number - HASHES);
  }
  return (place) => lists[place] ?? [];
}

/**
 * Replaces sealed blocks with the same number of new ones with the same timestamps, and opens a block on them. Dev writes on the removed
 * blocks are undone. All new blocks are made before a single write replaces the old ones: until then, readers see the old chain and
 * mempool.
 */
export async function reorg(
  { number, replaced, refill }: ReorgOptions,
  turn: Turn,
  deps: ReorgDeps,
): Promise<void> {
  const { assembler, chain, current, feed, mempool, settings } = deps;
  const { producer } = turn;
  const from = chain.latest.header.number;
  const { record } = producer.preconfirmed ?? {};
  const behind = await chain.blockBehind(number);
  const known = new Set(mempool.snapshot().entries.map(({ hash }) => hash));
  /** the mempool after the reorg */
  const pool = mempool.copy();
  const dropped: Dropped[] = pool
    .prune(await noncesIn(behind.state, pool))
    .map((transaction) => ({ transaction, reason: 'nonce too low' }));
  const into = { mempool: pool, head: behind };
  const report = (transaction: Transaction, reason: string) => dropped.push({ transaction, reason });
  const takeBack = async (transactions: readonly Transaction[], again: boolean) => {
    if (again) return readmit(transactions, (transaction) => turn.admit(transaction, into), report);
    for (const transaction of transactions) report(transaction, 'its block was taken back');
  };
  let place = 0;
  for (const block of replaced.oldestFirst()) {
    await takeBack(assembler.sent(block), 'reinclude' in refill && refill.reinclude);
    if (++place % SLICE === 0) await assembler.pause();
  }
  await takeBack(record?.transactions ?? [], 'reinclude' in refill);

  const prepared: Prepared[] = [];
  const hashes = new Map<bigint, Uint8Array>();
  let head = behind;
  for (const old of replaced.oldestFirst()) {
    current.assertInTime();
    const source = 'listAt' in refill ? fromList(refill.listAt(prepared.length)) : pool;
    const hashOf = (wanted: bigint) => hashes.get(wanted);
    const filled = await assembler.make(head, planLike(old), {}, source, hashOf);
    if ('listAt' in refill) assertAnswered(filled);
    dropped.push(...assembler.take(filled, pool));
    const one = await chain.prepareAside(filled.block!);
    prepared.push(one);
    head = one.block;
    hashes.set(head.header.number, head.hash);
    hashes.delete(head.header.number - HASHES);
  }
  const open = record && { ...record, transactions: [] };
  const start = await restoringSettings(() => producer.prepare(head, open ?? producer.resting), settings);
  const blocks = await chain.replaceAbove(number, prepared);
  const arrived = mempool.snapshot().entries.filter(({ hash }) => !known.has(hash));
  await continueFrom(start, turn, deps, () => {
    mempool.restore(pool.snapshot());
    feed.emit('rewound', { from, to: number });
    feed.emit('removed', replaced);
    for (const one of dropped) feed.emit('dropped', one);
    for (const block of blocks) feed.emit('sealed', block);
  });
  // Transactions that were sent during the reorg were admitted on the old chain: check them again on the new one.
  await readmit(
    arrived.map(({ transaction }) => transaction),
    turn.admit,
    (transaction, reason) => feed.emit('dropped', { transaction, reason }),
  );
}

/** The old block's plan, but with a different prevRandao (the hash of the old one), so that the new block always has another hash. */
function planLike({ header, withdrawals }: Block): BlockPlan {
  const { timestamp, coinbase, gasLimit, extraData, mixHash, parentBeaconBlockRoot } = header;
  return {
    timestamp,
    coinbase,
    gasLimit,
    extraData,
    prevRandao: keccak256(mixHash),
    ...(parentBeaconBlockRoot && { parentBeaconBlockRoot }),
    ...(withdrawals && { withdrawals }),
  };
}
