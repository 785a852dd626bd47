import type { CountedGas, Executed, Message, Rules } from '../protocol/types.ts';
import type { Awaitable, StateView, StateWrites } from '../state/view.ts';
import type { Pauses } from '../turns.ts';
import type { Precompiles } from './engine.ts';
import type { BlockFinish, PlannedStart } from './workspace.ts';

export interface WriteOptions {
  readonly rules: Rules;
  /** Whether blocks have whole transactions; else they have their hashes. */
  readonly fullTransactions: boolean;
  /** Whether headers get the root of the state; else it is zero. */
  readonly withStateRoot: boolean;
  /** The JSON of the error of a call that failed. */
  readonly errorText: (failed: Pick<Executed, 'failure' | 'returnData'>) => Awaitable<string>;
  /** Pauses for other work when the time slice is used up. */
  readonly background: Pauses;
}

/** A sealed block, as far as the next one needs it. */
export interface WrittenBlock {
  readonly hash: Uint8Array;
  readonly gasUsed: bigint;
  readonly blobGasUsed: bigint;
}

/**
 * Runs calls in blocks, one after the other, and writes what comes of them as the JSON of `eth_simulateV1`. It has to be ended by
 * {@link discard}, which takes all back.
 */
export interface SimulationWriter {
  /** the state so far; to be read before anything else is written */
  readonly state: StateView;

  /** Writes by somebody else, between two blocks: overrides. They must not be changed until that is done. */
  apply(writes: StateWrites): Awaitable<void>;

  /** what the block's gas limit counts of the open block so far */
  readonly counted: CountedGas;

  /** Opens a block. @param precompiles where they are in this block; absent: where the hardfork has them */
  open(planned: PlannedStart, precompiles: Precompiles | undefined): Awaitable<void>;

  /**
   * Executes a message as the next transaction of the open block, which nobody has signed. The caller has checked the block's gas limit.
   * @param hasNonce whether it has a nonce of its own; else it gets that of its sender
   * @returns the gas that it used
   * @throws DevnetError when it breaks a rule, with a code of `eth_simulateV1`
   */
  add(message: Message, hasNonce: boolean): Awaitable<bigint>;

  /** Seals the open block. */
  seal(withdrawals: BlockFinish['withdrawals']): Awaitable<WrittenBlock>;

  /**
   * Ends the list of blocks.
   * @returns JSON, in UTF-8 where it is long: of each block its fields, its transactions, and `calls` with a result for each call
   */
  end(): string | Uint8Array;

  discard(): void;
}
