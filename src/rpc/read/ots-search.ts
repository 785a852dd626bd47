import type { Address } from '@ethereumjs/util';
import type { ChainReader, Position } from '../../chain/refs.ts';
import { DevnetError } from '../../errors.ts';
import { giveWay } from '../../turns.ts';
import { mapped } from '../codec/codec.ts';
import { type Hex, quantity } from '../codec/hex.ts';
import { uint64 } from '../codec/values.ts';
import { formatReceipt, type RpcReceipt } from '../format/receipt.ts';
import { formatTransaction, type RpcTransaction } from '../format/transaction.ts';
import type { AddressIndex } from './address-index.ts';

/** transactions that a page may be asked to have */
const MAX_PAGE = 1_000n;
/** blocks that one search executes again */
const MAX_EXECUTED = 1_000;

/** A page of an address's transactions, the newest first. */
interface RpcSearch {
  txs: RpcTransaction[];
  receipts: (RpcReceipt & { timestamp: Hex })[];
  /** whether nothing is newer */
  firstPage: boolean;
  /** whether nothing is older */
  lastPage: boolean;
}

/** How many transactions a page should have. */
export const pageSize = mapped(uint64, (size) => {
  if (size > MAX_PAGE) throw new DevnetError('limitExceeded', { limit: 'the page size', max: MAX_PAGE });
  return Number(size);
});

interface Search {
  readonly address: Address;
  /** where the search stands; 0 for the end of the chain that it begins at */
  readonly number: bigint;
  readonly size: number;
}

interface SearchDeps {
  readonly chain: ChainReader;
  readonly addresses: AddressIndex;
}

/**
 * The sealed transactions of an address below a block, see {@link AddressIndex}. The page is at least as long as asked for
 * where there are so many; a block is never split between two.
 * @throws DevnetError -32000 where more blocks had to be executed than one search may; what it learned is remembered
 */
export async function searchBefore(search: Search, deps: SearchDeps): Promise<RpcSearch> {
  const chain = deps.chain.snapshot();
  const newest = chain.latest.header.number;
  const below = search.number === 0n || search.number > newest ? newest + 1n : search.number;
  const oldest = oldestOf(chain);
  const from = below - 1n;
  // Who names a block before that asks for it: on a forked chain the other one knows what it holds.
  const to = search.number > 0n && from < oldest ? from : oldest;
  const { found, more } = await collect(search, descending(from, to), chain, deps.addresses);
  return { ...formatFound(found), firstPage: below > newest, lastPage: !more };
}

/** The same above a block. */
export async function searchAfter(search: Search, deps: SearchDeps): Promise<RpcSearch> {
  const chain = deps.chain.snapshot();
  const oldest = oldestOf(chain);
  const from = search.number < oldest ? oldest : search.number + 1n;
  const { found, more } = await collect(
    search,
    ascending(from, chain.latest.header.number),
    chain,
    deps.addresses,
  );
  return { ...formatFound(found.toReversed()), firstPage: !more, lastPage: from === oldest };
}

/** Nothing stands in the genesis block, and what is in the block that a chain was forked at is the other chain's. */
function oldestOf({ genesis, first }: ChainReader): bigint {
  return first > genesis ? first : genesis + 1n;
}

function* descending(from: bigint, to: bigint): Generator<bigint> {
  for (let number = from; number >= to; number--) yield number;
}

function* ascending(from: bigint, to: bigint): Generator<bigint> {
  for (let number = from; number <= to; number++) yield number;
}

/** @returns what a page holds in the order of `numbers`, and whether there is, or may be, more behind it */
async function collect(
  { address, size }: Search,
  numbers: Iterable<bigint>,
  chain: ChainReader,
  addresses: AddressIndex,
): Promise<{ found: readonly (readonly Position[])[]; more: boolean }> {
  const wanted = address.toString();
  const found: Position[][] = [];
  let count = 0;
  let executed = 0;
  for (const number of numbers) {
    await giveWay();
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

/** @param found by block, the newest first */
function formatFound(found: readonly (readonly Position[])[]): Pick<RpcSearch, 'txs' | 'receipts'> {
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
