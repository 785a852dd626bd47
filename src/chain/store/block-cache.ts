import { bytesToUnprefixedHex } from '@ethereumjs/util';
import type { Block } from '../block.ts';

/** Maximum number of transactions in the cached blocks: decoded, they take most of the memory, about 10 KB each. */
const MAX_TRANSACTIONS = 4_096;

/**
 * A cache of the most recently used decoded blocks, by hash, limited by the number of blocks and of their
 * transactions.
 */
export class BlockCache {
  readonly #capacity: number;
  #transactions = 0;
  /** A Map keeps the order of insertion, so the first block is the least recently used one. */
  readonly #blocks = new Map<string, Block>();

  /** @param options.capacity maximum number of blocks; default: 256 */
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
      // The newest block stays, however large: it is about to be read.
      if (oldest === key) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#transactions -= this.#blocks.get(key)?.transactions.length ?? 0;
    this.#blocks.delete(key);
  }
}
