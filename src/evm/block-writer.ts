import type { AccountOverride } from '../state/overrides.ts';
import type { Awaitable } from '../state/view.ts';
import type { BlockFinish } from './block-maker.ts';
import type { HexCall } from './hex-call.ts';
import type { Executed, Rules } from './types.ts';

export interface WriteOptions {
  readonly rules: Rules;
  /** The JSON of the error of a call that failed; `undefined` where it isn't known at once. The call can't be written then. */
  readonly errorText: (failed: Pick<Executed, 'failure' | 'returnData'>) => string | undefined;
}

/** A sealed block, as far as the next one needs it. */
export interface WrittenBlock {
  readonly hash: Uint8Array;
  readonly gasUsed: bigint;
}

/**
 * Runs calls in the blocks that a maker opens, and writes what comes of them as JSON, without an object for each part.
 * Whoever gets `undefined` has to make all of the blocks anew without it.
 */
export interface BlockWriter {
  /**
   * Writes to the state before a block.
   * @param overrides by `0x` address
   * @returns whether it could: if not, all of them have to be applied to the maker
   */
  override(overrides: ReadonlyMap<string, AccountOverride>): Awaitable<boolean | undefined>;

  /**
   * Executes a call as the next transaction of the open block, of type 0 where it has a `gasPrice`, else of type 2. The caller has
   * checked the block's gas limit.
   * @param gas its limit
   * @returns the gas that it used; `undefined` when that can't be done here, or when the call is invalid or malformed
   */
  add(call: HexCall, gas: bigint, options: WriteOptions): Awaitable<bigint | undefined>;

  /** Gas used of the open block, as its header counts it. */
  readonly blockGasUsed: bigint;

  /** Seals the open block. @returns `undefined` when that can't be done here */
  seal(withdrawals: BlockFinish['withdrawals']): Awaitable<WrittenBlock | undefined>;

  /**
   * Ends the list of blocks.
   * @returns JSON, in UTF-8 where it is long: of each block its fields, the hashes of its transactions, and `calls` with a result
   * for each call
   */
  end(): string | Uint8Array;
}
