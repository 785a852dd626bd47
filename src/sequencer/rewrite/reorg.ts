import type { Block, Transaction, TrieBlock } from '../../chain/block.ts';
import { type BlockPlan, openBlock } from '../../chain/block-draft.ts';
import type { BlocksAbove } from '../../chain/blocks-above.ts';
import { keccak256 } from '../../state/keccak.ts';
import type { Awaitable } from '../../state/view.ts';
import { fromList } from '../mining/fill.ts';
import type { Production } from '../mining/production.ts';
import { noncesIn } from '../nonces-in.ts';
import { type Rewriting, readmit } from './withdraw.ts';

/** Blocks whose transactions are taken back before others get a turn on the event loop. */
const SLICE = 32;
/** How far back BLOCKHASH looks, in blocks. */
const HASHES = 256n;

/** A transaction for one of the new blocks. */
export interface Given {
  /** of the block among the new ones, from 0 */
  readonly place: number;
  /** Makes it for the block that it goes into, as far as that is filled. */
  readonly make: (block: TrieBlock) => Awaitable<Transaction>;
}

type ListAt = (place: number) => readonly Transaction[];

/** What is replaced, and of which number the newest block is that stays. */
interface Replaced {
  readonly number: bigint;
  readonly replaced: BlocksAbove;
}

export interface ReorgOptions extends Replaced {
  /**
   * What the new blocks hold: all that waits then, which the transactions of the replaced blocks belong to with
   * `reinclude`; or a list for each.
   */
  readonly refill: { readonly reinclude: boolean } | { readonly listAt: ListAt };
  /** what the open block holds; with `listAt` it is gone, else it goes back to the mempool */
  readonly preconfirmed: readonly Transaction[];
}

/**
 * Makes the transactions that are given, and the new blocks up to the last of them, before anything is taken back.
 * @throws what one can't be made for, or DevnetError -32000 naming the first that can't stand in its block
 */
export async function rehearse(
  { number, replaced, given }: Replaced & { given: readonly Given[] },
  { production }: Pick<Rewriting, 'production'>,
): Promise<ListAt> {
  const { chain, engine } = production.deps;
  const lists: Transaction[][] = [];
  const hashes = new Map<bigint, Uint8Array>();
  const last = Math.max(-1, ...given.map(({ place }) => place));
  let parent = (await chain.resolve({ number })) as TrieBlock;
  for (const old of replaced.oldestFirst()) {
    const place = lists.length;
    if (place > last) break;
    await production.pause();
    const hashOf = (wanted: bigint) => hashes.get(wanted) ?? chain.blockHash(wanted);
    let open = await openBlock(parent, planLike(old), engine, hashOf);
    const list: Transaction[] = [];
    for (const [index, one] of given.entries()) {
      if (one.place !== place) continue;
      const transaction = await one.make(await production.view(open));
      open = await production.include(open, transaction, index);
      list.push(transaction);
    }
    lists.push(list);
    parent = await production.view(open);
    hashes.set(parent.header.number, parent.hash);
    hashes.delete(parent.header.number - HASHES);
  }
  return (place) => lists[place] ?? [];
}

/**
 * Replaces sealed blocks by as many others of the same time. Dev writes on the blocks that are taken back go with them.
 * Nothing is open while it runs: `pending` is built when asked for.
 */
export async function reorg(
  { number, replaced, refill, preconfirmed }: ReorgOptions,
  { production, admit }: Rewriting,
): Promise<void> {
  const { chain, feed, mempool } = production.deps;
  const from = chain.latest.header.number;
  let head = await chain.rollbackTo(number);
  const nonceOf = await noncesIn(head.state, mempool);
  chain.moveTo(head, undefined);
  mempool.prune(nonceOf);
  feed.emit('back', { from, to: number });
  feed.emit('removed', replaced);

  const takeBack = async (transactions: readonly Transaction[], again: boolean) => {
    if (again) return readmit(transactions, { production, admit });
    for (const transaction of transactions)
      feed.emit('dropped', { transaction, reason: 'its block was taken back' });
  };
  let place = 0;
  for (const { transactions } of replaced.oldestFirst()) {
    await takeBack(transactions, 'reinclude' in refill && refill.reinclude);
    if (++place % SLICE === 0) await production.pause();
  }
  await takeBack(preconfirmed, 'reinclude' in refill);
  place = 0;
  for (const old of replaced.oldestFirst())
    head = await replace(production, old, head, 'listAt' in refill ? refill.listAt(place++) : undefined);
}

/** A block of the old one's time, with what waits, or with `list`. */
async function replace(
  production: Production,
  old: Block,
  parent: TrieBlock,
  list: readonly Transaction[] | undefined,
): Promise<TrieBlock> {
  const { chain, engine, feed } = production.deps;
  const open = await openBlock(parent, planLike(old), engine, (number) => chain.blockHash(number));
  const limits = { gas: old.header.gasLimit, transactions: Number.POSITIVE_INFINITY };
  const filled = await production.fill(open, limits, list && fromList(list));
  const block = await chain.store(await production.view(filled.open));
  production.show(filled, () => chain.moveTo(block, undefined));
  feed.emit('sealed', block);
  return block;
}

/** Its prevRandao is the hash of the old one's, so that the new block is another one. */
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
