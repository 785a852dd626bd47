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
  /** The block being built, or in automine and manual mode the one that would be mined now. Never missing. */
  readonly pending: BlockView;
  /** The only place where a tag, a number or a hash becomes a block. `undefined` when there is none. */
  resolve(ref: BlockRef): BlockView | undefined;
  /** A sealed or pre-confirmed transaction. */
  findTransaction(hash: Uint8Array): Position | undefined;
}
