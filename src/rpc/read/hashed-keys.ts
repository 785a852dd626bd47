import type { Block } from '../../chain/block.ts';
import { KeccakRecorder } from '../../engine/tracers/keccak-preimages.ts';
import { DevnetError } from '../../errors.ts';
import type { Tracing } from '../../execution/trace.ts';
import { hex } from '../codec/hex.ts';
import { isAllTransfers } from './address-index.ts';

/** Lengths in bytes of preimages that are kept: a slot, preceded by a mapping's key. */
const MIN_LENGTH = 32;
const MAX_LENGTH = 32 + 1024;

/**
 * The preimages that the transactions of a block hashed: keys of mappings with the mappings' slots. A block is executed again at the first
 * request, and the result is cached.
 */
export class HashedKeys {
  readonly #limit: number;
  /** by block hash; the oldest are dropped if there are too many keys */
  readonly #known = new Map<string, readonly Uint8Array[]>();
  #size = 0;

  /** @param options.most maximum number of cached keys, counted once per block */
  constructor(options: { readonly most: number }) {
    this.#limit = options.most;
  }

  /** Whether {@link of} can answer without executing the block. */
  knows(block: Block): boolean {
    return block.transactions.length === 0 || this.#known.has(hex(block.hash)) || isAllTransfers(block);
  }

  /** @returns an empty list for a block that can't be executed because its parent's state is missing */
  async of(block: Block, tracing: Tracing): Promise<readonly Uint8Array[]> {
    if (block.transactions.length === 0 || isAllTransfers(block)) return [];
    const key = hex(block.hash);
    const known = this.#known.get(key);
    if (known) return known;
    try {
      const runs = await tracing.block(block, () => {
        const tracer = new KeccakRecorder();
        return { tracer, result: () => tracer.preimages };
      });
      const found = new Map(runs.flat());
      const keys = [...found.values()]
        .map((preimage) => Buffer.from(preimage.slice(2), 'hex'))
        .filter(({ length }) => length >= MIN_LENGTH && length <= MAX_LENGTH);
      this.#remember(key, keys);
      return keys;
    } catch (error) {
      if (error instanceof DevnetError && error.kind === 'server') return [];
      throw error;
    }
  }

  #remember(key: string, keys: readonly Uint8Array[]): void {
    this.#known.set(key, keys);
    this.#size += keys.length;
    for (const [oldest, { length }] of this.#known) {
      if (this.#size <= this.#limit) break;
      this.#known.delete(oldest);
      this.#size -= length;
    }
  }
}
