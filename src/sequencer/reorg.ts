import type { BlockView, Transaction } from '../chain/block.ts';
import { type BlockPlan, openBlock, type TrieBlock } from '../chain/open-block.ts';
import { DevnetError } from '../errors.ts';
import { keccak256 } from '../state/keccak.ts';
import type { Production } from './production.ts';
import { type Admit, readmit } from './withdraw.ts';

export interface ReorgOptions {
  /** how many of the newest sealed blocks are replaced */
  readonly depth: number;
  /** Their transactions go back to the mempool, and so into the new blocks. */
  readonly reinclude: boolean;
  /** what the open block holds; it goes back to the mempool in any case */
  readonly preconfirmed: readonly Transaction[];
}

/**
 * Replaces sealed blocks by as many others of the same time. Dev writes on the blocks that are taken back go with them.
 * Nothing is open while it runs: `pending` is built when asked for.
 * @returns the new head
 * @throws DevnetError -32602 when there aren't so many blocks
 */
export async function reorg(
  { depth, reinclude, preconfirmed }: ReorgOptions,
  { production, admit }: { production: Production; admit: Admit },
): Promise<TrieBlock> {
  const { chain, feed, mempool } = production.deps;
  const removed = await newestBlocks(production, depth);
  if (removed.length < depth) {
    const reason = `a reorg of ${depth} blocks is deeper than the chain, which has ${removed.length}`;
    throw new DevnetError('invalidParams', { reason });
  }
  let head = await chain.rollbackTo(chain.latest.header.number - BigInt(depth));
  chain.moveTo(head, undefined);
  for (const sender of mempool.senders())
    mempool.setNonce(sender, (await head.state.getAccount(sender))?.nonce ?? 0n);
  feed.emit('removed', removed);

  const sealed = removed.toReversed().flatMap(({ transactions }) => transactions);
  if (!reinclude)
    for (const transaction of sealed)
      feed.emit('dropped', { transaction, reason: 'its block was taken back' });
  await readmit([...(reinclude ? sealed : []), ...preconfirmed], { production, admit });
  for (const old of removed.toReversed()) head = await replace(production, old, head);
  return head;
}

/** Newest first; fewer when the chain is shorter. */
async function newestBlocks(production: Production, depth: number): Promise<BlockView[]> {
  const { chain } = production.deps;
  const blocks: BlockView[] = [];
  for (let { number } = chain.latest.header; blocks.length < depth && number > chain.first; number--)
    blocks.push((await chain.resolve({ number }))!);
  return blocks;
}

/** A block of the old one's time, with what waits. Its prevRandao is the old one's hash, so that it is another one. */
async function replace(production: Production, old: BlockView, parent: TrieBlock): Promise<TrieBlock> {
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
  const open = await openBlock(parent, plan, engine, (number) => chain.hashOf(number));
  const filled = await production.fill(open, { gas: gasLimit, transactions: Number.POSITIVE_INFINITY });
  const block = await chain.store(await production.view(filled.open));
  production.show(filled, () => chain.moveTo(block, undefined));
  feed.emit('sealed', block);
  return block;
}
