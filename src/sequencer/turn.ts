import type { Transaction } from '../chain/block.ts';
import type { BlockProducer } from './mining/block-producer.ts';

/** What a task may use while it is the only writer, see {@link Sequencer.inTurn}. */
export interface Turn {
  readonly producer: BlockProducer;
  /** Returns a block's transaction to the mempool, as if just sent. @throws DevnetError -32003 when not admitted */
  readonly admit: (transaction: Transaction) => Promise<void>;
}
