import { bytesToHex } from '@ethereumjs/util';
import type { Transaction } from '../../chain/block.ts';
import type { ChainReader, TransactionPosition } from '../../chain/refs.ts';
import type { Clock } from '../../clock.ts';
import { DevnetError } from '../../errors.ts';
import type { Feed } from '../../sequencer/feed/feed.ts';

interface Waiter {
  readonly resolve: (position: TransactionPosition) => void;
  readonly reject: (error: DevnetError) => void;
}

export interface ConfirmationsDeps {
  readonly chain: ChainReader;
  readonly feed: Feed;
  /** the machine's clock */
  readonly clock: Clock;
}

/** Waits until transactions are pre-confirmed or sealed, whichever is first. */
export class Confirmations {
  readonly #deps: ConfirmationsDeps;
  readonly #waiting = new Map<string, Set<Waiter>>();
  #listeners: Disposable[] = [];

  constructor(deps: ConfirmationsDeps) {
    this.#deps = deps;
  }

  /**
   * @param bytes the transaction's hash
   * @param ms how long to wait, milliseconds
   * @throws DevnetError `syncTimeout` with the hash as data; `transactionRejected`, also with the hash as data, if the transaction can no
   * longer be included or was replaced
   */
  async of(bytes: Uint8Array, ms: number): Promise<TransactionPosition> {
    const found = this.#deps.chain.findTransaction(bytes);
    if (found) return found;
    const hash = bytesToHex(bytes);
    let timer: Disposable | undefined;
    let waiter: Waiter | undefined;
    try {
      return await new Promise<TransactionPosition>((resolve, reject) => {
        waiter = { resolve, reject };
        this.#add(hash, waiter);
        timer = this.#deps.clock.after(ms, () =>
          reject(new DevnetError('syncTimeout', { hash, ms }).withData(hash)),
        );
      });
    } finally {
      timer?.[Symbol.dispose]();
      if (waiter) this.#remove(hash, waiter);
    }
  }

  #add(hash: string, waiter: Waiter): void {
    const waiters = this.#waiting.get(hash) ?? new Set();
    this.#waiting.set(hash, waiters.add(waiter));
    if (this.#listeners.length > 0) return;
    const { feed } = this.#deps;
    this.#listeners = [
      feed.on('flashblock', ({ transactions }) => this.#look(transactions)),
      feed.on('sealed', ({ transactions }) => this.#look(transactions)),
      feed.on('dropped', ({ transaction, reason }) => {
        for (const { reject } of this.#of(transaction))
          reject(new DevnetError('transactionRejected', { reason }).withData(bytesToHex(transaction.hash)));
      }),
    ];
  }

  #look(transactions: readonly Transaction[]): void {
    for (const transaction of transactions) {
      const waiters = this.#of(transaction);
      // Looked up in the chain that readers see, so that the answer is consistent with a subsequent read.
      const position = waiters.size > 0 && this.#deps.chain.findTransaction(transaction.hash);
      if (position) for (const { resolve } of waiters) resolve(position);
    }
  }

  #of(transaction: Transaction): ReadonlySet<Waiter> {
    return this.#waiting.get(bytesToHex(transaction.hash)) ?? NOBODY;
  }

  #remove(hash: string, waiter: Waiter): void {
    const waiters = this.#waiting.get(hash);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiting.delete(hash);
    if (this.#waiting.size > 0) return;
    for (const listener of this.#listeners.splice(0)) listener[Symbol.dispose]();
  }
}

const NOBODY: ReadonlySet<Waiter> = new Set();
