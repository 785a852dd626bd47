import type { Awaitable } from '../state/view.ts';
import type { Block, BlockView, CallView, Transaction } from './block.ts';
import type { TermGroups } from './log-terms.ts';

/** Refers to a block by tag or number. */
export type NumberRef = Extract<BlockRef, { tag: unknown } | { number: unknown }>;

/**
 * Refers to a block by tag, number or hash (EIP-1898), or to a block as it was after one of its flashblocks. Created by codecs, read
 * only by `resolve`.
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

/** The block that would be mined at one moment. Each result is built lazily, and only once. */
export interface PendingBlock {
  block(): Awaitable<BlockView>;
  /** header and state for a call in the block, after its transactions */
  callView(): Awaitable<CallView>;
}

/** The blocks of the chain that have logs. */
export interface LoggedBlocks {
  /** Grows when blocks are removed: numbers that {@link find} returned before may then refer to other blocks. */
  readonly removals: number;
  /**
   * Finds the sealed blocks that may have logs with a term of each group. Returns a promise if that needs data that isn't in
   * memory yet.
   * @param last the last block to search; must be sealed
   * @returns their numbers, ascending; `undefined` when `last` isn't in the chain any more
   */
  find(
    from: bigint,
    last: { readonly number: bigint; readonly hash: Uint8Array },
    groups: TermGroups,
  ): Awaitable<readonly number[] | undefined>;
  /** A sealed block; `undefined` if it isn't in the chain any more. */
  read(number: number): LoggedBlock | undefined;
  /** The run of reserved blocks that contains block `number`; `undefined` if the block isn't reserved. They have no transactions. */
  reservedAt(number: bigint): ReservedRun | undefined;
}

/** Numbers of the first and the last of consecutive reserved blocks, see `reservation.ts`. */
export interface ReservedRun {
  readonly first: bigint;
  readonly last: bigint;
}

/** The parts of a block that are needed to search and format its logs. */
export interface LoggedBlock extends Pick<Block, 'header' | 'hash' | 'receipts' | 'timestampMs'> {
  readonly transactions: readonly Pick<Transaction, 'hash'>[];
}

/** Read access to the chain, by immutable views. */
export interface ChainReader {
  /** The newest sealed block. Its state includes dev writes (such as `anvil_setBalance`) to the head. */
  readonly latest: BlockView;
  /** Number of the genesis block. */
  readonly genesis: bigint;
  /** Number of the first kept block, to which `earliest` refers. The genesis block is kept as well. */
  readonly first: bigint;
  /** Number of the first block from which on all states are available. The genesis block's state is available as well. */
  readonly states: bigint;
  /**
   * Turns a tag, number or hash into a block; no other function does. `undefined` if there is no such block, but never for
   * `latest` and `pending`. A promise only if the block is built lazily: `pending` in automine and manual mode, which is the
   * block that would be mined now, and a sealed block as it was after one of its flashblocks.
   * @throws DevnetError `flashblockNotFound`, `flashblockChanged`
   */
  resolve(ref: BlockRef): Awaitable<BlockView | undefined>;
  /** Like {@link resolve}, for calls. Doesn't compute roots and hash of a `pending` block without transactions. */
  callView(ref: BlockRef): Awaitable<CallView | undefined>;
  /** The chain as it is now, for reads that must agree with each other. */
  snapshot(): ChainReader;
  /** Like {@link snapshot}, for reads that mostly end before any other work runs, see {@link OpenSnapshot}. */
  openSnapshot(): OpenSnapshot;
  /** The sealed blocks that have logs. */
  readonly logged: LoggedBlocks;
  /** A sealed or pre-confirmed transaction. */
  findTransaction(hash: Uint8Array): TransactionPosition | undefined;
}

/**
 * The chain as it is now, but the `pending` block is captured lazily, on the first read. A reader that continues after other work has
 * run must call {@link capture} first.
 */
export interface OpenSnapshot extends ChainReader {
  capture(): void;
}
