import type { Transaction } from '../chain/block.ts';

/** A call of an RPC method that changes the chain. The recorder recognises it by object identity. */
export interface CallInput {
  readonly name: string;
  readonly params: readonly unknown[];
}

/**
 * Why a task is in the sequencer's queue: a timer, a sent transaction, the chain's start or stop, a block from outside
 * (imported, or made by another node), or the RPC call that enqueued it.
 */
export type Cause = 'tick' | 'send' | 'start' | 'stop' | 'outside' | CallInput;

/** Receives everything that changes the chain, in order, so that it can be recorded. Timestamps are milliseconds on the clock. */
export interface Inputs {
  /** A task begins; nothing else changes the chain until `ended`. @param at the clock's time while the task runs */
  began(cause: Cause, at: number): void;
  ended(): void;
  /** Whether the receiver reads the chain's head when a task has ended. */
  readonly logsHead: boolean;
  /** The current task was started by a timer, and it changes the chain. */
  ticked(): void;
  /** The mempool admitted a transaction that was sent. */
  admitted(transaction: Transaction): void;
  /** The call that enqueued the current task has timed out: the task rolls back its changes. */
  expired(): void;
  /**
   * The current task needs data that the forked node doesn't provide: the task rolls back its changes.
   * @param points how many points the task has passed, see `CurrentTask.assertFetched`
   */
  refused(points: number): void;
  /** The current task drops a transaction and leaves it out of a block, because the forked node doesn't answer. */
  leftOut(hash: Uint8Array): void;
  /** A call ended before its task began: it has changed nothing. */
  dropped(call: CallInput): void;
}
