import type { Transaction } from '../chain/block.ts';

/**
 * Why a task is in the sequencer's queue: a timer, a transaction that was sent, the chain's start or end, or what
 * {@link Inputs.cause} says.
 */
export type Cause = 'tick' | 'send' | 'start' | 'stop' | object | undefined;

/** Is told of everything that changes the chain, in the order in which it does. */
export interface Inputs {
  /** Whose doing the task is that is put in the queue now. */
  cause(): Cause;
  /** A task begins; nothing else changes the chain until it has ended. */
  began(cause: Cause): void;
  ended(): void;
  /** The task that began is a tick that does something. */
  ticked(): void;
  /** The mempool took a transaction that was sent. */
  admitted(transaction: Transaction): void;
}
