import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { BlockFile } from './block-file.ts';
import type { ForkBlock } from './fork-block.ts';

/** Version of the format of files and folders, which is the name of a folder. */
const FORMAT = 'v1';
const BLOCK_FILE = /^(\d+)-(0x[0-9a-f]{64})\.jsonl$/;
/** Files by which a chain id is found. */
const URLS = 'urls';
/** The sizes of the files are looked at when one has grown by this part of what all may have. */
const PART = 32;

export interface ForkCacheOptions {
  /** the folder, which is made where it isn't there */
  readonly dir: string;
  /** bytes that all blocks together may take */
  readonly size: number;
}

export interface ForkCacheDeps {
  /** wall time */
  readonly clock: Pick<Clock, 'now'>;
  /** Called where files can't be written or read: the chain goes on without them. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A block that is in the cache. */
export interface CachedFork extends ForkBlock {
  readonly path: string;
  /** bytes */
  readonly size: number;
  /** when it was last used, milliseconds since the Unix epoch */
  readonly used: number;
}

/**
 * What was fetched for forked chains, in a folder: `v1/CHAIN ID/NUMBER-HASH.jsonl` for each fork block. Any number of
 * processes use it at the same time, see {@link BlockFile}.
 */
export class ForkCache {
  readonly #options: ForkCacheOptions;
  readonly #deps: ForkCacheDeps;
  readonly #root: string;

  constructor(options: ForkCacheOptions, deps: ForkCacheDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#root = join(options.dir, FORMAT);
  }

  get dir(): string {
    return this.#options.dir;
  }

  /** All blocks, or those of a chain or with a number, the newest first. */
  blocks(wanted: { chainId?: bigint | undefined; number?: bigint | undefined } = {}): CachedFork[] {
    const { chainId, number } = wanted;
    const chains =
      chainId === undefined ? names(this.#root).filter((name) => /^\d+$/.test(name)) : [`${chainId}`];
    return chains
      .flatMap((chain) => names(join(this.#root, chain)).flatMap((name) => this.#blockAt(chain, name) ?? []))
      .filter((block) => number === undefined || block.number === number)
      .sort((a, b) => (a.number < b.number ? 1 : a.number > b.number ? -1 : b.used - a.used));
  }

  #blockAt(chain: string, name: string): CachedFork | undefined {
    const [, number, hash] = BLOCK_FILE.exec(name) ?? [];
    if (number === undefined) return undefined;
    const path = join(this.#root, chain, name);
    try {
      const { size, mtimeMs: used } = statSync(path);
      return { chainId: BigInt(chain), number: BigInt(number), hash: hash!, path, size, used };
    } catch {
      // Removed meanwhile.
      return undefined;
    }
  }

  /** Opens the entries of a block. Blocks that were not used for longest give way where there is no room. */
  open({ chainId, number, hash }: ForkBlock): BlockFile {
    const path = join(this.#root, `${chainId}`, `${number}-${hash}.jsonl`);
    const { size: limit } = this.#options;
    const step = limit / PART;
    let grown = step;
    const mayGrow = (size: number, added: number) => {
      grown += added;
      if (grown >= step) {
        grown = 0;
        this.prune(limit, path);
      }
      return size <= limit;
    };
    return new BlockFile({ path }, { ...this.#deps, mayGrow });
  }

  /**
   * Removes the blocks that were not used for longest until the rest has room.
   * @param limit bytes
   * @param kept path of the file that stays
   * @returns what was removed
   */
  prune(limit: number, kept?: string): CachedFork[] {
    const blocks = this.blocks().sort((a, b) => a.used - b.used);
    let total = blocks.reduce((sum, { size }) => sum + size, 0);
    const removed: CachedFork[] = [];
    for (const block of blocks) {
      if (total <= limit) break;
      if (block.path === kept || !this.remove(block)) continue;
      total -= block.size;
      removed.push(block);
    }
    return removed;
  }

  /** @returns whether it is gone. Windows doesn't remove a file that a process has open. */
  remove({ path }: CachedFork): boolean {
    try {
      rmSync(path, { force: true });
      return true;
    } catch (error) {
      this.#deps.onError?.(error);
      return false;
    }
  }

  /** The id of the chain of a node that was asked for it before. */
  chainOf(url: string): bigint | undefined {
    try {
      const text = readFileSync(this.#urlFile(url), 'utf8').trim();
      return /^\d{1,78}$/.test(text) ? BigInt(text) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Notes which chain a node has. Of the URL only a hash is kept, since it may contain a key. */
  noteChain(url: string, chainId: bigint): void {
    if (this.chainOf(url) === chainId) return;
    const file = this.#urlFile(url);
    const unfinished = `${file}.${process.pid}`;
    try {
      mkdirSync(join(this.#root, URLS), { recursive: true });
      writeFileSync(unfinished, `${chainId}\n`);
      renameSync(unfinished, file);
    } catch (error) {
      this.#deps.onError?.(error);
    }
  }

  #urlFile(url: string): string {
    return join(this.#root, URLS, createHash('sha256').update(url).digest('hex'));
  }
}

function names(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    // There is none, or it can't be read: nothing is cached then.
    return [];
  }
}
