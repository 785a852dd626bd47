import type { Address } from '@ethereumjs/util';
import type { ChainReader, TransactionPosition } from '../../chain/refs.ts';
import { DevnetError } from '../../errors.ts';
import { giveWay, type Pauses } from '../../turns.ts';
import { mapped } from '../codec/codec.ts';
import { quantity } from '../codec/hex.ts';
import { uint64 } from '../codec/values.ts';
import type { ForkContext } from '../fork/context.ts';
import { type OtsPage, searchRemote } from '../fork/ots-search.ts';
import { formatReceipt } from '../format/receipt.ts';
import { formatTransaction } from '../format/transaction.ts';
import type { AddressIndex } from './address-index.ts';
import { emptyRunsOf } from './empty-runs.ts';

/** maximum page size */
const MAX_PAGE = 1_000n;
/** maximum number of blocks that one search executes again */
const MAX_EXECUTED = 1_000;

/** The requested number of transactions of a page. */
export const pageSize = mapped(uint64, (size) => {
  if (size > MAX_PAGE) throw new DevnetError('limitExceeded', { limit: 'the page size', max: MAX_PAGE });
  return Number(size);
});

interface Search {
  readonly address: Address;
  /** the block to search from; 0 for the end of the chain at which the search starts */
  readonly number: bigint;
  readonly size: number;
}

type Found = Pick<OtsPage, 'txs' | 'receipts'>;

interface SearchDeps {
  readonly chain: ChainReader;
  readonly addresses: AddressIndex;
  /** present if the chain is forked from another one */
  readonly fork?: ForkContext | undefined;
  readonly pauses?: Pauses | undefined;
}

/**
 * Finds the sealed transactions below a block that involve an address, see {@link AddressIndex}. A page may be longer than requested,
 * because a block is never split between two pages. On a forked chain the search continues on the other chain.
 * @returns the transactions, newest first; `firstPage`: there are no newer ones, `lastPage`: there are no older ones
 * @throws DevnetError `limitExceeded` if nothing was found in the blocks that one search may execute; their results are cached, so the next
 * search gets further. On a forked chain like {@link searchRemote}, if nothing was found on this chain
 */
export async function searchBefore(
  search: Search,
  { chain: live, addresses, fork, pauses }: SearchDeps,
): Promise<OtsPage> {
  const chain = live.snapshot();
  const newest = chain.latest.header.number;
  const below = search.number === 0n || search.number > newest ? newest + 1n : search.number;
  const range = { from: below - 1n, to: oldestOf(chain), step: -1n } as const;
  const { found, more } = await collect(search, range, { chain, addresses, pauses });
  const here = formatFound(found);
  const firstPage = below > newest;
  if (more || !fork || fork.number === 0n) return { ...here, firstPage, lastPage: !more };
  const number = below <= fork.number ? below : fork.number + 1n;
  const left = search.size - here.txs.length;
  let there: OtsPage;
  try {
    there = await searchRemote(fork, 'Before', { ...search, number, size: Math.max(left, 1) });
  } catch (error) {
    if (here.txs.length === 0) throw error;
    // The transactions found so far are a page of their own; the search for older ones reports the error.
    return { ...here, firstPage, lastPage: false };
  }
  if (left <= 0) return { ...here, firstPage, lastPage: there.lastPage && there.txs.length === 0 };
  return { ...joined(here, there), firstPage, lastPage: there.lastPage };
}

/** Like {@link searchBefore}, above a block. */
export async function searchAfter(
  search: Search,
  { chain: live, addresses, fork, pauses }: SearchDeps,
): Promise<OtsPage> {
  const chain = live.snapshot();
  const oldest = oldestOf(chain);
  const isRemote = fork !== undefined && search.number < fork.number;
  const there = isRemote ? await searchRemote(fork, 'After', search) : NOTHING;
  if (!there.firstPage) return there;
  const from = search.number < oldest ? oldest : search.number + 1n;
  const left = Math.max(search.size - there.txs.length, 0);
  const range = { from, to: chain.latest.header.number, step: 1n } as const;
  const { found, more } = await collect({ ...search, size: left }, range, { chain, addresses, pauses });
  const isOldest = isRemote ? there.lastPage : from === oldest && !fork?.number;
  return { ...joined(formatFound(found.toReversed()), there), firstPage: !more, lastPage: isOldest };
}

const NOTHING: OtsPage = { txs: [], receipts: [], firstPage: true, lastPage: true };

/** Joins two pages; the second has the older transactions. */
function joined(newer: Found, older: Found): Found {
  return { txs: [...newer.txs, ...older.txs], receipts: [...newer.receipts, ...older.receipts] };
}

/**
 * Returns the first block of this chain to search. The genesis block has no transactions, or on a forked chain those of the other chain.
 */
function oldestOf({ genesis, first }: ChainReader): bigint {
  return first > genesis ? first : genesis + 1n;
}

/** A range of blocks in the order of the search. */
interface SearchedRange {
  readonly from: bigint;
  /** the last block; below `from` if `step` is -1 */
  readonly to: bigint;
  readonly step: 1n | -1n;
}

/** @returns the page's transactions by block in the order of the range, and whether there may be more after it */
async function collect(
  { address, size }: Search,
  { from, to, step }: SearchedRange,
  { chain, addresses, pauses }: SearchDeps,
): Promise<{ found: readonly (readonly TransactionPosition[])[]; more: boolean }> {
  const wanted = address.toString();
  const empty = emptyRunsOf(chain.logged);
  const { removals } = chain.logged;
  const isInRange = (number: bigint) => (step > 0n ? number <= to : number >= to);
  const found: TransactionPosition[][] = [];
  let count = 0;
  let executed = 0;
  for (let number = empty.skip(from, step); isInRange(number); number = empty.skip(number + step, step)) {
    await giveWay(pauses);
    const block = await chain.resolve({ number });
    if (!block) continue;
    if (block.transactions.length === 0) {
      // The chain may have changed while this search let other work run.
      if (chain.logged.removals === removals) empty.add(number);
      continue;
    }
    if (!addresses.knows(block) && executed++ === MAX_EXECUTED) {
      if (count > 0) return { found, more: true };
      throw new DevnetError('limitExceeded', {
        limit: 'the number of blocks to execute for a search (ask again to go on)',
        max: MAX_EXECUTED,
      });
    }
    const positions = (await addresses.of(block)).flatMap((touched, index) =>
      touched.has(wanted) ? [{ block, index }] : [],
    );
    if (positions.length === 0) continue;
    if (count >= size) return { found, more: true };
    found.push(positions);
    count += positions.length;
  }
  return { found, more: false };
}

/** @param found transactions by block, the newest block first */
function formatFound(found: readonly (readonly TransactionPosition[])[]): Found {
  const positions = found.flatMap((inBlock) => inBlock.toReversed());
  return {
    txs: positions.map((position) =>
      formatTransaction(position.block.transactions[position.index]!, position),
    ),
    receipts: positions.map(({ block, index }) => ({
      ...formatReceipt(block, index),
      timestamp: quantity(block.header.timestamp),
    })),
  };
}
