import { equalsBytes } from '@ethereumjs/util';
import type { BlockView } from '../../chain/block.ts';
import type { ChainReader } from '../../chain/refs.ts';
import { giveWay, type Pauses } from '../../turns.ts';
import { quantity } from '../codec/hex.ts';
import type { Place, TransactionSearch } from '../codec/transaction-search.ts';
import type { ForkContext } from '../fork/context.ts';
import { remoteBlock } from '../fork/transaction-search.ts';
import { formatReceipt } from '../format/receipt.ts';
import { formatTransaction } from '../format/transaction.ts';
import { emptyRunsOf } from './empty-runs.ts';

/** Maximum number of blocks that one request searches: on this chain, and on the node of the chain from which it was forked. */
const MAX_BLOCKS = 10_000;
const MAX_REMOTE_BLOCKS = 20;

/** A transaction that a search examines, from this chain or from another node's JSON. */
export interface Candidate {
  readonly from: string;
  /** `undefined` if the transaction creates a contract */
  readonly to: string | undefined;
  readonly selector: Uint8Array;
  readonly failed: boolean;
  /** returns the transaction's and its receipt's JSON */
  readonly write: () => { readonly transaction: unknown; readonly receipt: unknown };
}

/** The result of `devnet_searchTransactions`, which documents it. */
export interface FoundTransactions {
  readonly transactions: readonly unknown[];
  readonly receipts: readonly unknown[];
  readonly next: { readonly block: string; readonly index: string } | null;
}

interface SearchDeps {
  readonly chain: ChainReader;
  readonly fork?: ForkContext | undefined;
  readonly pauses?: Pauses | undefined;
}

/**
 * Searches the sealed blocks for transactions, in chain order or in reverse. On a forked chain the search continues on the other chain.
 * @throws DevnetError with the other node's error, if nothing was found on this chain
 */
export async function searchTransactions(
  search: TransactionSearch,
  { chain: live, fork, pauses }: SearchDeps,
): Promise<FoundTransactions> {
  const chain = live.snapshot();
  const { removals } = chain.logged;
  const { before, after, limit } = search;
  const newest = chain.latest.header.number;
  const isUp = after !== undefined;
  const step = isUp ? 1n : -1n;
  const oldest = fork ? 0n : chain.first;
  const start = isUp ? after.block : before && before.block <= newest ? before.block : newest;
  const given = isUp ? after : before;
  const found: { readonly place: Place; readonly candidate: Candidate }[] = [];
  let [here, remote] = [0, 0];
  const empty = emptyRunsOf(chain.logged);
  const from = start < oldest ? oldest : start;
  for (let number = from; number >= oldest && number <= newest; number += step) {
    number = empty.skip(number, step);
    if (number < oldest || number > newest) break;
    // The fork block is the first block of this chain and the last one of the other chain.
    const isRemote = fork !== undefined && number <= fork.number;
    const spent = isRemote ? remote++ >= MAX_REMOTE_BLOCKS : here++ >= MAX_BLOCKS;
    if (spent) return answer(found, edgeOf(number, isUp));
    await giveWay(pauses);
    let candidates: readonly Candidate[];
    try {
      candidates = isRemote ? await remoteBlock(fork, number) : candidatesIn(await chain.resolve({ number }));
    } catch (error) {
      if (found.length === 0) throw error;
      // The transactions found so far are a result of their own; the next search reports the error.
      return answer(found, edgeOf(number, isUp));
    }
    if (candidates.length === 0) {
      // The chain may have changed while this search let other work run.
      if (live.logged.removals === removals) empty.add(number);
      continue;
    }
    const indexes = Array.from(candidates, (_, index) => (isUp ? index : candidates.length - 1 - index));
    for (const index of indexes) {
      const isGone =
        given?.block === number && (isUp ? BigInt(index) <= given.index : BigInt(index) >= given.index);
      const candidate = candidates[index]!;
      if (isGone || !matches(candidate, search)) continue;
      const place = { block: number, index: BigInt(index) };
      if (found.length === limit) return answer(found, found.at(-1)!.place);
      found.push({ place, candidate });
    }
  }
  return answer(found, undefined);
}

/** Returns the place from which a search continues with this block. */
function edgeOf(number: bigint, isUp: boolean): Place {
  if (!isUp) return { block: number + 1n, index: 0n };
  // After all transactions of the previous block.
  return { block: number - 1n, index: 0xffff_ffffn };
}

function matches({ from, to, selector, failed }: Candidate, search: TransactionSearch): boolean {
  if (search.from && from !== search.from.toString()) return false;
  if (search.to && to !== search.to.toString()) return false;
  if (search.creates !== undefined && search.creates !== (to === undefined)) return false;
  if (search.failed !== undefined && search.failed !== failed) return false;
  return !search.selector || (to !== undefined && equalsBytes(selector, search.selector));
}

function candidatesIn(block: BlockView | undefined): Candidate[] {
  if (!block) return [];
  return block.transactions.map(({ from, tx }, index) => ({
    from: from.toString(),
    to: tx.to?.toString(),
    selector: tx.data.subarray(0, 4),
    failed: block.receipts[index]!.status === false,
    write: () => ({
      transaction: formatTransaction(block.transactions[index]!, { block, index }),
      receipt: { ...formatReceipt(block, index), timestamp: quantity(block.header.timestamp) },
    }),
  }));
}

function answer(
  found: readonly { readonly candidate: Candidate }[],
  next: Place | undefined,
): FoundTransactions {
  const written = found.map(({ candidate }) => candidate.write());
  return {
    transactions: written.map(({ transaction }) => transaction),
    receipts: written.map(({ receipt }) => receipt),
    next: next ? { block: quantity(next.block), index: quantity(next.index) } : null,
  };
}
