import type { Address } from '@ethereumjs/util';

/** What the stream does wrong when told to. */
export interface StreamFaults {
  /** The next so many messages are not sent. */
  gap(messages: number): void;
  /** Sends the message of an index of the open block once more; the newest without `index`. */
  duplicate(index?: number): void;
}

/**
 * Failures on demand, for tests of how an app takes them. Nothing is off unless asked for; what is asked for applies
 * once, but for refused senders.
 */
export class Faults {
  readonly #refused = new Set<string>();
  #skip = 0;
  #sealDelay = 0;
  readonly #streams = new Set<StreamFaults>();

  /** The next so many slots pass without an index of their own. */
  skipFlashblocks(slots: number): void {
    this.#skip += slots;
  }

  /** Whether the slot that is due passes without an index. Counts it. */
  takeSkip(): boolean {
    if (this.#skip === 0) return false;
    this.#skip--;
    return true;
  }

  /** The block that is open is sealed so many milliseconds late. */
  delaySeal(ms: number): void {
    this.#sealDelay = ms;
  }

  /** @returns milliseconds, 0 for none */
  takeSealDelay(): number {
    const delay = this.#sealDelay;
    this.#sealDelay = 0;
    return delay;
  }

  /** Whether a sender's transactions are refused at the door. */
  refuseSender(sender: Address, on: boolean): void {
    if (on) this.#refused.add(sender.toString());
    else this.#refused.delete(sender.toString());
  }

  refuses(sender: Address): boolean {
    return this.#refused.size > 0 && this.#refused.has(sender.toString());
  }

  /** A stream that takes part in {@link gap} and {@link duplicate}. */
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
