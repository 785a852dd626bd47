import type { Address } from '@ethereumjs/util';
import type { ChainReader, Position } from '../../chain/refs.ts';
import { DevnetError } from '../../errors.ts';
import { giveWay, type Pauses } from '../../turns.ts';
import { mapped } from '../codec/codec.ts';
import { quantity } from '../codec/hex.ts';
import { uint64 } from '../codec/values.ts';
import { formatReceipt } from '../format/receipt.ts';
import { formatTransaction } from '../format/transaction.ts';
import type { AddressIndex } from './address-index.ts';

/** largest page size that may be requested */
const MAX_PAGE = 1_000n;
/** most blocks that one search executes again */
const MAX_EXECUTED = 1_000;

/** The requested number of transactions of a page. */
export const pageSize = mapped(uint64, (size) => {
  if (size > MAX_PAGE) throw new DevnetError('limitExceeded', { limit: 'the page size', max: MAX_PAGE });
  return Number(size);
});

interface Search {
  readonly address: Address;
  /** the block from which to search; 0 for the end of the chain at which the search begins */
  readonly number: bigint;
  readonly size: number;
}

interface SearchDeps {
  readonly chain: ChainReader;
  readonly addresses: AddressIndex;
  readonly pauses?: Pauses | undefined;
}

/**
 * The sealed transactions that involve an address, below a block, see {@link AddressIndex}. A page may be longer than
 * requested, because a block is never split between two pages.
 * @returns the newest first; `firstPage`: there are no newer ones, `lastPage`: there are no older ones
 * @throws DevnetError `limitExceeded` when nothing was found in the blocks that one search may execute; their results
 *   are cached, so the next search gets further
 */
export async function searchBefore(search: Search, { chain: live, addresses, pauses }: SearchDeps) {
  const chain = live.snapshot();
  const newest = chain.latest.header.number;
  const below = search.number === 0n || search.number > newest ? newest + 1n : search.number;
  const oldest = oldestOf(chain);
  const from = below - 1n;
  // An explicitly given block below `oldest` is still searched: on a forked chain the other chain knows its content.
  const to = search.number > 0n && from < oldest ? from : oldest;
  const { found, more } = await collect(search, descending(from, to), { chain, addresses, pauses });
  return { ...formatFound(found), firstPage: below > newest, lastPage: !more };
}

/** The same as {@link searchBefore}, above a block. */
export async function searchAfter(search: Search, { chain: live, addresses, pauses }: SearchDeps) {
  const chain = live.snapshot();
  const oldest = oldestOf(chain);
  const from = search.number < oldest ? oldest : search.number + 1n;
  const { found, more } = await collect(search, ascending(from, chain.latest.header.number), {
    chain,
    addresses,
    pauses,
  });
  return { ...formatFound(found.toReversed()), firstPage: !more, lastPage: from === oldest };
}

/** The first block to search. The genesis block has no transactions, or on a forked chain only the other chain's. */
function oldestOf({ genesis, first }: ChainReader): bigint {
  return first > genesis ? first : genesis + 1n;
}

function* descending(from: bigint, to: bigint): Generator<bigint> {
  for (let number = from; number >= to; number--) yield number;
}

function* ascending(from: bigint, to: bigint): Generator<bigint> {
  for (let number = from; number <= to; number++) yield number;
}

/** @returns the page's transactions by block in the order of `numbers`, and whether there may be more after it */
async function collect(
  { address, size }: Search,
  numbers: Iterable<bigint>,
  { chain, addresses, pauses }: SearchDeps,
): Promise<{ found: readonly (readonly Position[])[]; more: boolean }> {
  const wanted = address.toString();
  const found: Position[][] = [];
  let count = 0;
  let executed = 0;
  for (const number of numbers) {
    await giveWay(pauses);
    const block = await chain.resolve({ number });
    if (!block || block.transactions.length === 0) continue;
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
function formatFound(found: readonly (readonly Position[])[]) {
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
