import { DevnetError } from '../errors.ts';
import { giveWay } from '../turns.ts';
import type { Block, Header } from './block.ts';
import type { BlockStore } from './store/block-store.ts';

const HASH_BYTES = 32;

interface Deps {
  readonly store: Pick<BlockStore, 'hashOf' | 'header' | 'stored'>;
  /** See `Chain.timeOf`. */
  readonly timeOf: (
    header: Header,
    headerOf: (number: bigint) => Header | undefined,
  ) => { timestampMs?: bigint };
}

/**
 * The sealed blocks above another block, at one moment. Holds only their hashes, so 100,000 blocks take 3 MB of memory;
 * blocks are read lazily. Blocks that are rolled back stay in the store under their hashes.
 */
export class BlocksAbove {
  readonly #first: bigint;
  readonly #hashes: Uint8Array;
  readonly #deps: Deps;

  private constructor(first: bigint, hashes: Uint8Array, deps: Deps) {
    this.#first = first;
    this.#hashes = hashes;
    this.#deps = deps;
  }

  /** Lets other work run in between, so the caller must ensure that nothing else changes the chain. */
  static async read(first: bigint, last: bigint, deps: Deps): Promise<BlocksAbove> {
    const hashes = new Uint8Array(last < first ? 0 : Number(last - first + 1n) * HASH_BYTES);
    for (let number = first; number <= last; number++) {
      await giveWay();
      const hash = deps.store.hashOf(number);
      if (!hash) throw new Error(`block ${number} is not there`);
      hashes.set(hash, Number(number - first) * HASH_BYTES);
    }
    return new BlocksAbove(first, hashes, deps);
  }

  get count(): number {
    return this.#hashes.length / HASH_BYTES;
  }

  /**
   * Yields the newest block first; ends early at a block that was pruned in the meantime.
   * @param wanted called with each header; the remaining parts of a rejected block aren't read
   * @returns `undefined` for each rejected block, so that the reader can let other work run
   */
  *newestFirst(wanted: (header: Header) => boolean): Generator<Block | undefined> {
    for (let index = this.count - 1; index >= 0; index--) {
      const header = this.#deps.store.stored.header(this.#hash(index));
      if (!header) return;
      if (!wanted(header)) {
        yield undefined;
        continue;
      }
      const block = this.#block(index);
      if (!block) return;
      yield block;
    }
  }

  /** Yields all blocks, oldest first. @throws DevnetError -32000 if one was pruned in the meantime */
  *oldestFirst(): Generator<Block> {
    for (let index = 0; index < this.count; index++) {
      const block = this.#block(index);
      if (!block) throw prunedMeanwhile(this.#first + BigInt(index));
      yield block;
    }
  }

  /** @param number of a block in this range */
  hashOf(number: bigint): Uint8Array {
    return this.#hash(Number(number - this.#first));
  }

  #hash(index: number): Uint8Array {
    return this.#hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
  }

  #block(index: number): Block | undefined {
    const { store, timeOf } = this.#deps;
    const block = store.stored.block(this.#hash(index));
    const headerOf = (number: bigint) =>
      number < this.#first ? store.header(number) : store.stored.header(this.hashOf(number));
    return block && { ...block, ...timeOf(block.header, headerOf) };
  }
}

/** The error for readers of a block that was pruned in the meantime. */
export function prunedMeanwhile(number: bigint): DevnetError {
  return new DevnetError('server', { reason: `block ${number} is not there any more` });
}
