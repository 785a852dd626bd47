import type { Transaction } from '../chain/block.ts';
import type { BlockProducer } from './mining/block-producer.ts';

/** What may be done while nobody else writes, see {@link Sequencer.inTurn}. */
export interface Turn {
  readonly producer: BlockProducer;
  /**
   * Takes a transaction that was in a block back into the mempool, as if it had just been sent.
   * @throws DevnetError -32003 when it is not admitted
   */
  readonly admit: (transaction: Transaction) => Promise<void>;
}
