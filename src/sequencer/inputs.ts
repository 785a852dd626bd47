import type { Transaction } from '../chain/block.ts';

/** A call of an RPC method that changes the chain. Who makes it knows it again by its identity. */
export interface RpcCall {
  readonly name: string;
  readonly params: readonly unknown[];
}

/**
 * Why a task is in the sequencer's queue: a timer, a transaction that was sent, the chain's start or end, a block from
 * outside (an import, another node's), or the RPC call that put it there.
 */
export type Cause = 'tick' | 'send' | 'start' | 'stop' | 'outside' | RpcCall;

/** Is told of everything that changes the chain, in the order in which it does. Times are milliseconds on the clock. */
export interface Inputs {
  /** A task begins; nothing else changes the chain until it has ended. @param at the time that it sees */
  began(cause: Cause, at: number): void;
  ended(): void;
  /** The task that began is a tick that does something. */
  ticked(): void;
  /** The mempool took a transaction that was sent. */
  admitted(transaction: Transaction): void;
}
