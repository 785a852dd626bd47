import type { Address } from '@ethereumjs/util';
import type { Transaction } from '../../chain/block.ts';

/** Failures of a flashblock stream that a user can trigger. */
export interface StreamFaults {
  /** Suppresses the next `messages` messages. */
  gap(messages: number): void;
  /** Repeats the message of the open block's flashblock `index`; of the newest one when absent. */
  duplicate(index?: number): void;
}

/** Simulated failures, for tests of apps. Each applies once, except that a rejected sender stays rejected. */
export class Faults {
  readonly #refused = new Set<string>();
  #skip = 0;
  #sealDelay = 0;
  readonly #streams = new Set<StreamFaults>();

  /** Publishes no flashblock in the next `slots` slots. */
  skipFlashblocks(slots: number): void {
    this.#skip += slots;
  }

  /** Whether the slot that is due publishes no flashblock. Counts the slot as skipped. */
  takeSkip(): boolean {
    if (this.#skip === 0) return false;
    this.#skip--;
    return true;
  }

  /** Seals the open block `ms` milliseconds late. */
  delaySeal(ms: number): void {
    this.#sealDelay = ms;
  }

  /** Reads the requested delay and resets it. @returns milliseconds, 0 for no delay */
  takeSealDelay(): number {
    const delay = this.#sealDelay;
    this.#sealDelay = 0;
    return delay;
  }

  /** Whether a skipped slot or a delayed seal is still pending. */
  get areWaiting(): boolean {
    return this.#skip > 0 || this.#sealDelay > 0;
  }

  /** Rejects all new transactions of a sender, or allows them again. */
  refuseSender(sender: Address, on: boolean): void {
    if (on) this.#refused.add(sender.toString());
    else this.#refused.delete(sender.toString());
  }

  refuses(transaction: Pick<Transaction, 'from'>): boolean {
    return this.#refused.size > 0 && this.#refused.has(transaction.from.toString());
  }

  /** Registers a stream, to which {@link gap} and {@link duplicate} apply. */
  addStream(stream: StreamFaults): void {
    this.#streams.add(stream);
  }

  gap(messages: number): void {
    for (const stream of this.#streams) stream.gap(messages);
  }

  duplicate(index?: number): void {
    for (const stream of this.#streams) stream.duplicate(index);
  }
}
