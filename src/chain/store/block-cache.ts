import { bytesToUnprefixedHex } from '@ethereumjs/util';
import type { Block } from '../block.ts';

/** The decoded blocks that were read last, by hash. */
export class BlockCache {
  readonly #capacity: number;
  /** A map keeps the order of insertion: the first is the one unused for longest. */
  readonly #blocks = new Map<string, Block>();

  constructor(options: { capacity: number }) {
    this.#capacity = options.capacity;
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
    this.#blocks.delete(key);
    this.#blocks.set(key, block);
    if (this.#blocks.size > this.#capacity) this.#blocks.delete(this.#blocks.keys().next().value!);
  }
}
