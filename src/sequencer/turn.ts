import type { Transaction, TrieBlock } from '../chain/block.ts';
import type { Mempool } from '../mempool/mempool.ts';
import type { Producer } from './mining/producer.ts';

/** Passed to a task while it is the chain's only writer, see {@link Sequencer.inTurn}. */
export interface Turn {
  readonly producer: Producer;
  /**
   * Returns a block's transaction to the mempool, as if it had just been sent.
   * @param into another mempool, on top of another block
   * @throws DevnetError -32003 when not admitted
   */
  readonly admit: (
    transaction: Transaction,
    into?: { readonly mempool: Mempool; readonly head: TrieBlock },
  ) => Promise<void>;
}
