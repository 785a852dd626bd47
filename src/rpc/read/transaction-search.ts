import { equalsBytes } from '@ethereumjs/util';
import type { BlockView } from '../../chain/block.ts';
import type { ChainReader } from '../../chain/refs.ts';
import { giveWay, type Pauses } from '../../turns.ts';
import { quantity } from '../codec/hex.ts';
import type { Place, TransactionSearch } from '../codec/transaction-search.ts';
import type { ForkContext } from '../fork/context.ts';
import { blockElsewhere } from '../fork/transaction-search.ts';
import { formatReceipt } from '../format/receipt.ts';
import { formatTransaction } from '../format/transaction.ts';
import { emptyRunsOf } from './empty-runs.ts';

/** Most blocks that one request looks at: here, and on the node of the chain that this one was forked from. */
const MAX_BLOCKS = 10_000;
const MAX_BLOCKS_ELSEWHERE = 20;

/** A transaction as it is looked at, from this chain or from another node's JSON. */
export interface Candidate {
  readonly from: string;
  /** `undefined` where a contract is created */
  readonly to: string | undefined;
  readonly selector: Uint8Array;
  readonly failed: boolean;
  /** its JSON */
  readonly write: () => { readonly transaction: unknown; readonly receipt: unknown };
}

/** What `devnet_searchTransactions` answers: see there. */
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
 * Looks through the sealed blocks for transactions, in the order of the chain or against it. On a forked chain it goes
 * on where the chain came from.
 * @throws DevnetError as the other node answers, when nothing was found before it was asked
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
  let [here, elsewhere] = [0, 0];
  const empty = emptyRunsOf(chain.logged);
  const from = start < oldest ? oldest : start;
  for (let number = from; number >= oldest && number <= newest; number += step) {
    number = empty.skip(number, step);
    if (number < oldest || number > newest) break;
    // The block that is the fork's first one is the other chain's last one.
    const isElsewhere = fork !== undefined && number <= fork.number;
    const spent = isElsewhere ? elsewhere++ >= MAX_BLOCKS_ELSEWHERE : here++ >= MAX_BLOCKS;
    if (spent) return answer(found, edgeOf(number, isUp));
    await giveWay(pauses);
    let candidates: readonly Candidate[];
    try {
      candidates = isElsewhere
        ? await blockElsewhere(fork, number)
        : candidatesIn(await chain.resolve({ number }));
    } catch (error) {
      if (found.length === 0) throw error;
      // What was found is an answer of its own; the next search says what is wrong.
      return answer(found, edgeOf(number, isUp));
    }
    if (candidates.length === 0) {
      // The chain may have changed while this search gave way.
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

/** The place next to a block that is still to be looked at. */
function edgeOf(number: bigint, isUp: boolean): Place {
  if (!isUp) return { block: number + 1n, index: 0n };
  // Above all transactions of the block before it.
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
