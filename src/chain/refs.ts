import type { Awaitable } from '../state/view.ts';
import type { Block, BlockView, CallView, Transaction } from './block.ts';
import type { TermGroups } from './log-terms.ts';

/** A block by its tag or number. */
export type NumberRef = Extract<BlockRef, { tag: unknown } | { number: unknown }>;

/**
 * How a caller refers to a block: by tag, number or hash (EIP-1898), or as it was after one of its flashblocks. Made by codecs, read
 * by `resolve` only.
 */
export type BlockRef =
  | { readonly tag: 'latest' | 'pending' | 'safe' | 'finalized' | 'earliest' }
  | { readonly number: bigint }
  | { readonly hash: Uint8Array; readonly requireCanonical?: boolean }
  | { readonly flashblock: bigint; readonly of: NumberRef };

/** The position of a transaction in the chain. */
export interface TransactionPosition {
  readonly block: BlockView;
  readonly index: number;
}

/** The block that would be mined at a moment of the chain. Each of these is made once, when it is asked for. */
export interface PendingBlock {
  block(): Awaitable<BlockView>;
  /** what a call in it runs with, after its transactions */
  callView(): Awaitable<CallView>;
}

/** The blocks of the chain that have logs. */
export interface LoggedBlocks {
  /** Grows when blocks are removed: numbers that were found before may then be those of other blocks. */
  readonly removals: number;
  /**
   * Finds the sealed blocks that may have logs with a term of each group. A promise where that needs data that isn't in
   * memory yet.
   * @param last a sealed block
   * @returns their numbers, ascending; `undefined` when `last` isn't in the chain any more
   */
  find(
    from: bigint,
    last: { readonly number: bigint; readonly hash: Uint8Array },
    groups: TermGroups,
  ): Awaitable<readonly number[] | undefined>;
  /** A sealed block; `undefined` when it isn't there any more. */
  read(number: number): LoggedBlock | undefined;
  /** The run of reserved blocks, which have no transactions, that this one is in; `undefined` when it isn't reserved. */
  reservedAt(number: bigint): ReservedRun | undefined;
}

/** Numbers of the first and the last of consecutive reserved blocks, see `reservation.ts`. */
export interface ReservedRun {
  readonly first: bigint;
  readonly last: bigint;
}

/** What is needed of a block to search and format its logs. */
export interface LoggedBlock extends Pick<Block, 'header' | 'hash' | 'receipts' | 'timestampMs'> {
  readonly transactions: readonly Pick<Transaction, 'hash'>[];
}

/** Read access to the chain. Each call answers at once, from immutable views. */
export interface ChainReader {
  /** The newest sealed block. Its state includes dev writes (`anvil_setBalance` and the like) to the head. */
  readonly latest: BlockView;
  /** Number of the genesis block. */
  readonly genesis: bigint;
  /** Number of the first kept block, which `earliest` refers to. The genesis block is kept besides. */
  readonly first: bigint;
  /** Number of the first block from which on all states are available; the genesis block's is available besides. */
  readonly states: bigint;
  /**
   * The only place where a tag, a number or a hash is turned into a block. `undefined` when there is none, but never
   * for `latest` and `pending`. A promise only where a block is built on request: `pending` in automine and manual mode, which
   * is the block that would be mined now, and a sealed block as it was after one of its flashblocks.
   * @throws DevnetError `flashblockNotFound`, `flashblockChanged`
   */
  resolve(ref: BlockRef): Awaitable<BlockView | undefined>;
  /** The same for calls. A `pending` block without transactions isn't sealed for them. */
  callView(ref: BlockRef): Awaitable<CallView | undefined>;
  /** The chain as it is now, for reads that must agree with each other. */
  snapshot(): ChainReader;
  /** The same for reads most of which end before anything else runs: see {@link OpenSnapshot}. */
  openSnapshot(): OpenSnapshot;
  /** The sealed blocks that have logs. */
  readonly logged: LoggedBlocks;
  /** A sealed or pre-confirmed transaction. */
  findTransaction(hash: Uint8Array): TransactionPosition | undefined;
}

/**
 * The chain as it is now, except that what `pending` would be isn't captured before somebody asks for it. So whoever still reads
 * when something else runs has to capture it first.
 */
export interface OpenSnapshot extends ChainReader {
  capture(): void;
}
