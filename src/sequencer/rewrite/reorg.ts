import type { Block, Transaction, TrieBlock } from '../../chain/block.ts';
import type { BlockPlan } from '../../chain/block-draft.ts';
import type { BlocksAbove } from '../../chain/blocks-above.ts';
import type { Chain } from '../../chain/chain.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import { keccak256 } from '../../state/keccak.ts';
import type { Awaitable } from '../../state/view.ts';
import type { Feed } from '../feed/feed.ts';
import type { BlockAssembler } from '../mining/assembler.ts';
import { fromList } from '../mining/fill.ts';
import { noncesIn } from '../nonces-in.ts';
import type { Turn } from '../turn.ts';
import { readmit } from './readmit.ts';

/** How many blocks' transactions are returned to the mempool before other work may run. */
const SLICE = 32;
/** How far back the BLOCKHASH opcode looks, in blocks. */
const HASHES = 256n;

/** A transaction that a caller requested for one of the new blocks. */
export interface Given {
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

export interface ReorgDeps extends Pick<Turn, 'admit'> {
  readonly assembler: BlockAssembler;
  readonly chain: Chain;
  readonly feed: Feed;
  readonly mempool: Mempool;
}

export interface ReorgOptions extends Replaced {
  /** What fills the new blocks: the mempool with what `reinclude` returns to it first, or a list for each. */
  readonly refill: { readonly reinclude: boolean } | { readonly listAt: ListAt };
  /** transactions of the open block; dropped with `listAt`, else returned to the mempool */
  readonly preconfirmed: readonly Transaction[];
}

/**
 * Makes the given transactions, and tries out the new blocks up to the last of them, before any block is removed.
 * @throws what `Given.make` throws, or DevnetError -32000 naming the first transaction that can't be included
 */
export async function rehearse(
  { number, replaced, given }: Replaced & { given: readonly Given[] },
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
 * Replaces sealed blocks by as many others with the same timestamps. Dev writes on the removed blocks are undone. No
 * block is open while it runs: `pending` is built on request.
 */
export async function reorg(
  { number, replaced, refill, preconfirmed }: ReorgOptions,
  deps: ReorgDeps,
): Promise<void> {
  const { assembler, chain, feed, mempool } = deps;
  const from = chain.latest.header.number;
  let head = await chain.rollbackTo(number);
  const nonceOf = await noncesIn(head.state, mempool);
  chain.moveTo(head, undefined);
  const passed = mempool.prune(nonceOf);
  feed.emit('back', { from, to: number });
  feed.emit('removed', replaced);
  for (const transaction of passed) feed.emit('dropped', { transaction, reason: 'nonce too low' });

  const takeBack = async (transactions: readonly Transaction[], again: boolean) => {
    if (again) return readmit(transactions, deps);
    for (const transaction of transactions)
      feed.emit('dropped', { transaction, reason: 'its block was taken back' });
  };
  let place = 0;
  for (const block of replaced.oldestFirst()) {
    await takeBack(assembler.sent(block), 'reinclude' in refill && refill.reinclude);
    if (++place % SLICE === 0) await assembler.pause();
  }
  await takeBack(preconfirmed, 'reinclude' in refill);
  place = 0;
  for (const old of replaced.oldestFirst())
    head = await replace(deps, old, head, 'listAt' in refill ? refill.listAt(place++) : undefined);
}

/** Makes a block with the old one's timestamp, from the mempool or from `list`. */
async function replace(
  { assembler, chain, feed }: ReorgDeps,
  old: Block,
  parent: TrieBlock,
  list: readonly Transaction[] | undefined,
): Promise<TrieBlock> {
  const filled = await assembler.make(parent, planLike(old), {}, list && fromList(list));
  const block = await chain.store(filled.block!);
  assembler.show(filled, () => chain.moveTo(block, undefined));
  feed.emit('sealed', block);
  return block;
}

/** The old block's plan, but with the hash of its prevRandao, so that the new block always has another hash. */
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
