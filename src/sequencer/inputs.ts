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

/** Receives everything that changes the chain, in the order in which it does. Times are milliseconds on the clock. */
export interface Inputs {
  /** A task begins; nothing else changes the chain until `ended`. @param at the clock's time while the task runs */
  began(cause: Cause, at: number): void;
  ended(): void;
  /** Whether it looks at the chain's head when a task has ended. */
  readonly logsHead: boolean;
  /** The current task is a timer's, and it changes the chain. */
  ticked(): void;
  /** The mempool admitted a transaction that was sent. */
  admitted(transaction: Transaction): void;
  /** The time of the call that enqueued the current task is over: the task takes back what it has done. */
  expired(): void;
  /**
   * The current task needs what the node doesn't give that the chain is forked from: it takes back what it has done.
   * @param points how many it has passed, see `CurrentTask.assertFetched`
   */
  refused(points: number): void;
  /** A block of the current task leaves out a transaction, and drops it, because the node doesn't answer that the chain is forked from. */
  leftOut(hash: Uint8Array): void;
  /** A call has ended before its task began: it has changed nothing. */
  dropped(call: CallInput): void;
}
