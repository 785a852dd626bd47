import type { CountedGas, Executed, Message, Rules } from '../protocol/types.ts';
import type { Awaitable, StateView, StateWrites } from '../state/view.ts';
import type { Pauses } from '../turns.ts';
import type { Precompiles } from './engine.ts';
import type { BlockFinish, PlannedStart } from './workspace.ts';

export interface WriteOptions {
  readonly rules: Rules;
  /** Whether blocks contain whole transactions; otherwise they contain transaction hashes. */
  readonly fullTransactions: boolean;
  /** Whether headers contain the state root; otherwise it is zero. */
  readonly withStateRoot: boolean;
  /** The JSON of the `error` object of a call that failed. */
  readonly errorText: (failed: Pick<Executed, 'failure' | 'returnData'>) => Awaitable<string>;
  /** Pauses for other work when the time slice is used up. */
  readonly background: Pauses;
}

/** A sealed block: the fields that the next block needs. */
export interface WrittenBlock {
  readonly hash: Uint8Array;
  readonly gasUsed: bigint;
  readonly blobGasUsed: bigint;
}

/**
 * Runs calls in consecutive blocks, and writes the results as the JSON of `eth_simulateV1`. The caller must end the writer by {@link
 * discard}, which rolls back all writes.
 */
export interface SimulationWriter {
  /** the current state; must be read before the next write */
  readonly state: StateView;

  /** Applies writes from outside between two blocks: overrides. The caller must not change them until this has completed. */
  apply(writes: StateWrites): Awaitable<void>;

  /** the gas of the open block so far that counts against the block's gas limit */
  readonly counted: CountedGas;

  /** Opens a block. @param precompiles the precompiles in this block by address; absent: those of the hardfork */
  open(planned: PlannedStart, precompiles: Precompiles | undefined): Awaitable<void>;

  /**
   * Executes an unsigned message as the next transaction of the open block. The caller has checked the block's gas limit.
   * @param hasNonce whether the message has a nonce of its own; otherwise it gets the nonce of its sender
   * @returns the gas used
   * @throws DevnetError when the message breaks a rule, with an error code of `eth_simulateV1`
   */
  add(message: Message, hasNonce: boolean): Awaitable<bigint>;

  /** Seals the open block. */
  seal(withdrawals: BlockFinish['withdrawals']): Awaitable<WrittenBlock>;

  /**
   * Ends the list of blocks.
   * @returns JSON, as UTF-8 bytes if it is long: for each block its fields, its transactions, and `calls` with a result for each call
   */
  end(): string | Uint8Array;

  discard(): void;
}
