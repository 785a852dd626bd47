import { bytesToUnprefixedHex } from '@ethereumjs/util';
import type { Block } from '../block.ts';

/** Decoded transactions take most of the memory, some 10 KB each. */
const MAX_TRANSACTIONS = 4_096;

/** The decoded blocks that were read last, by hash: so many, and so many transactions in them. */
export class BlockCache {
  readonly #capacity: number;
  #transactions = 0;
  /** A map keeps the order of insertion: the first is the one unused for longest. */
  readonly #blocks = new Map<string, Block>();

  /** @param options.capacity blocks; 256 by default */
  constructor({ capacity = 256 }: { capacity?: number | undefined } = {}) {
    this.#capacity = capacity;
  }

  get(hash: Uint8Array): Block | undefined {
    const key = bytesToUnprefixedHex(hash);
    const block = this.#blocks.get(key);
    if (block) {
      this.#blocks.delete(key);
      this.#blocks.set(key, block);
    }
    return block;
  }

  add(block: Block): void {
    const key = bytesToUnprefixedHex(block.hash);
    this.#drop(key);
    this.#blocks.set(key, block);
    this.#transactions += block.transactions.length;
    while (this.#blocks.size > this.#capacity || this.#transactions > MAX_TRANSACTIONS) {
      const oldest = this.#blocks.keys().next().value!;
      // The newest one stays, however large: it is about to be read.
      if (oldest === key) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#transactions -= this.#blocks.get(key)?.transactions.length ?? 0;
    this.#blocks.delete(key);
  }
}
