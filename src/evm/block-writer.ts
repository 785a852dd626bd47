import type { Address } from '@ethereumjs/util';
import type { Awaitable } from '../state/view.ts';
import type { BlockFinish, BlockMaker } from './block-maker.ts';
import type { AccessList, Executed, Rules } from './types.ts';

/** A call that can be a transaction of type 0 (with `gasPrice`) or 2, without a signature. Absent fields are zero or empty. */
export interface UnsignedCall {
  readonly from?: Address;
  /** when absent, the call creates a contract */
  readonly to?: Address;
  /** wei per gas; never together with the other two */
  readonly gasPrice?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
  /** wei */
  readonly value?: bigint;
  /** when absent, the sender's */
  readonly nonce?: bigint;
  readonly data?: Uint8Array;
  readonly accessList?: AccessList;
}

export interface WriteOptions {
  readonly rules: Rules;
  /** The JSON of the error of a call that failed. */
  readonly errorText: (failed: Pick<Executed, 'failure' | 'returnData'>) => string;
}

/** A sealed block, as far as the next one needs it. */
export interface WrittenBlock {
  readonly hash: Uint8Array;
  readonly gasUsed: bigint;
}

/**
 * Runs calls in the blocks that a maker opens, and writes what comes of them as JSON, without an object for each part.
 * Whoever gets `undefined` has to make all of the blocks anew without it; {@link BlockMaker.add} tells whether a call is invalid.
 */
export interface BlockWriter {
  /**
   * Executes a call as the next transaction of the open block. The caller has checked the block's gas limit.
   * @param gas its limit
   * @returns the gas that it used; `undefined` when that can't be done here, or when the call is invalid
   */
  add(call: UnsignedCall, gas: bigint, options: WriteOptions): Awaitable<bigint | undefined>;

  /** Seals the open block. @returns `undefined` when that can't be done here */
  seal(withdrawals: BlockFinish['withdrawals']): Awaitable<WrittenBlock | undefined>;

  /**
   * Ends the list of blocks.
   * @returns JSON in UTF-8: of each block its fields, the hashes of its transactions, and `calls` with a result for each call
   */
  end(): Uint8Array;
}
