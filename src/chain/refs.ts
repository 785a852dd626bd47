import type { Awaitable } from '../state/view.ts';
import type { BlockView } from './block.ts';

/** How a caller names a block: a tag, a number, or a hash (EIP-1898). Made by the codecs, read only by `resolve`. */
export type BlockRef =
  | { readonly tag: 'latest' | 'pending' | 'safe' | 'finalized' | 'earliest' }
  | { readonly number: bigint }
  | { readonly hash: Uint8Array; readonly requireCanonical?: boolean };

/** Where a transaction stands. */
export interface Position {
  readonly block: BlockView;
  readonly index: number;
}

/** The reading side of the chain. Each call answers from immutable views, at once. */
export interface ChainReader {
  /** The newest sealed block, head patches (dev writes) included in its state. */
  readonly latest: BlockView;
  /** Number of the genesis block. */
  readonly genesis: bigint;
  /** Number of the first block that is kept: what `earliest` names. Besides it, the genesis block is there. */
  readonly first: bigint;
  /** Number of the first block from which on all states are known: besides it, that of the genesis block is. */
  readonly states: bigint;
  /**
   * The only place where a tag, a number or a hash becomes a block. `undefined` when there is none; never for
   * `latest` and `pending`. A promise only for `pending` in automine and manual mode: there it is the block that would
   * be mined now, and is built when asked for.
   */
  resolve(ref: BlockRef): Awaitable<BlockView | undefined>;
  /** The chain as it stands now, for reads that must agree with each other. */
  snapshot(): ChainReader;
  /** A sealed or pre-confirmed transaction. */
  findTransaction(hash: Uint8Array): Position | undefined;
}
