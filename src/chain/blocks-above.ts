import { DevnetError } from '../errors.ts';
import { giveWay } from '../turns.ts';
import type { Block, Header } from './block.ts';
import type { BlockStore } from './store/block-store.ts';

const HASH_BYTES = 32;

export interface BlocksAboveDeps {
  readonly store: Pick<BlockStore, 'hashOf' | 'header' | 'stored'>;
  /** See `Chain.timeOf`. */
  readonly timeOf: (
    header: Header,
    headerOf: (number: bigint) => Header | undefined,
  ) => { timestampMs?: bigint };
}

/**
 * The sealed blocks above another one, as they were when they were asked for. They stay in the store under their hashes
 * when they are taken back, and each is read when its turn comes: so a hundred thousand of them take 3 MB.
 */
export class BlocksAbove {
  readonly #first: bigint;
  readonly #hashes: Uint8Array;
  readonly #deps: BlocksAboveDeps;

  private constructor(first: bigint, hashes: Uint8Array, deps: BlocksAboveDeps) {
    this.#first = first;
    this.#hashes = hashes;
    this.#deps = deps;
  }

  /** Others run in between: only for who alone may change the chain. */
  static async read(first: bigint, last: bigint, deps: BlocksAboveDeps): Promise<BlocksAbove> {
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
   * Ends where a block was pruned since.
   * @param wanted asked for each header: the rest of a block that isn't wanted is never read
   * @returns nothing in the place of one that isn't, so that whoever reads can let others run
   */
  *newestFirst(wanted: (header: Header) => boolean): Generator<Block | undefined> {
    for (let place = this.count - 1; place >= 0; place--) {
      const header = this.#deps.store.stored.header(this.#hash(place));
      if (!header) return;
      if (!wanted(header)) {
        yield undefined;
        continue;
      }
      const block = this.#block(place);
      if (!block) return;
      yield block;
    }
  }

  /** All of them. @throws DevnetError -32000 where one was pruned since */
  *oldestFirst(): Generator<Block> {
    for (let place = 0; place < this.count; place++) {
      const block = this.#block(place);
      if (!block) throw gone(this.#first + BigInt(place));
      yield block;
    }
  }

  /** @param number of one of them */
  hashOf(number: bigint): Uint8Array {
    return this.#hash(Number(number - this.#first));
  }

  #hash(place: number): Uint8Array {
    return this.#hashes.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES);
  }

  #block(place: number): Block | undefined {
    const { store, timeOf } = this.#deps;
    const block = store.stored.block(this.#hash(place));
    const headerOf = (number: bigint) =>
      number < this.#first ? store.header(number) : store.stored.header(this.hashOf(number));
    return block && { ...block, ...timeOf(block.header, headerOf) };
  }
}

/** What a reader of a block is told that was pruned meanwhile. */
export function gone(number: bigint): DevnetError {
  return new DevnetError('server', { reason: `block ${number} is not there any more` });
}
