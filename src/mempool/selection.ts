import type { Transaction } from '../chain/block.ts';
import { effectiveTip } from './fees.ts';
import type { Heap } from './heap.ts';
import type { Entry, SenderQueue } from './sender-queue.ts';

/** `fees`: by effective tip, then by arrival. `fifo`: by arrival. */
export type Order = 'fees' | 'fifo';

/** An entry with its rank at one base fee. */
export interface Ranked {
  readonly queue: SenderQueue;
  readonly entry: Entry;
  /** effective tip, wei per gas; negative if the fee cap is below the base fee */
  readonly tip: bigint;
}

export function rank(queue: SenderQueue, entry: Entry, baseFee: bigint): Ranked {
  return { queue, entry, tip: effectiveTip(entry.fees, baseFee) };
}

export const BEFORE: Record<Order, (a: Ranked, b: Ranked) => boolean> = {
  fees: (a, b) => (a.tip === b.tip ? a.entry.arrival < b.entry.arrival : a.tip > b.tip),
  fifo: (a, b) => a.entry.arrival < b.entry.arrival,
};

/**
 * One pass over the executable transactions: first the deposits in order of arrival, since deposits come first in a block on
 * OP chains; then the others, best first, each sender's in nonce order. A pass doesn't change the mempool: the sequencer
 * removes the included transactions. Transactions that arrive during the pass are left to the next one, so that a replay,
 * which applies inputs before the tick, selects the same transactions.
 */
export class Selection {
  readonly #baseFee: bigint;
  readonly #blobBaseFee: bigint;
  readonly #heads: Heap<Ranked>;
  readonly #until: number;
  readonly #deposits: Entry[];
  #last: Ranked | undefined;
  #lastIsDeposit = false;

  /**
   * @param deps.heads one entry per sender; the selection consumes it
   * @param deps.until entries with this arrival number or a higher one are left out
   * @param deps.deposits the deposits in the mempool; the selection consumes the array
   */
  constructor(
    options: { baseFee: bigint; blobBaseFee: bigint },
    deps: { heads: Heap<Ranked>; until: number; deposits: Entry[] },
  ) {
    this.#baseFee = options.baseFee;
    this.#blobBaseFee = options.blobBaseFee;
    this.#heads = deps.heads;
    this.#until = deps.until;
    this.#deposits = deps.deposits;
  }

  /**
   * The next transaction. The caller must have included the previous transaction, or removed it from the mempool. If it was
   * removed, its sender's later transactions are skipped, because they would have a nonce gap.
   */
  next(): Transaction | undefined {
    this.#advance();
    const deposit = this.#deposits.shift();
    this.#lastIsDeposit = deposit !== undefined;
    if (deposit) return deposit.transaction;
    for (let best = this.#heads.pop(); best; best = this.#heads.pop()) {
      const { entry, queue, tip } = best;
      const { blobFeeCap } = entry.fees;
      const stillWaits = queue.at(entry.nonce) === entry && queue.isExecutable(entry.nonce);
      const affordable = tip >= 0n && (blobFeeCap === undefined || blobFeeCap >= this.#blobBaseFee);
      if (!stillWaits || !affordable) continue;
      this.#last = best;
      return entry.transaction;
    }
    return undefined;
  }

  /**
   * Skips the sender of the last transaction, because the transaction doesn't fit or can't be included. If the last transaction was
   * a deposit, skips all other deposits, because they may depend on it.
   */
  skipSender(): void {
    if (this.#lastIsDeposit) this.#deposits.length = 0;
    this.#last = undefined;
  }

  #advance(): void {
    if (!this.#last) return;
    const { queue, entry } = this.#last;
    this.#last = undefined;
    const included = queue.base > entry.nonce;
    if (!included && queue.at(entry.nonce) !== entry) return;
    const successor = queue.at(entry.nonce + 1n);
    if (successor && successor.arrival < this.#until) this.#heads.push(rank(queue, successor, this.#baseFee));
  }
}
