import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { BlockFile } from './block-file.ts';
import type { ForkBlock } from './fork-block.ts';

/** Version of the format of files and folders; also a folder's name. */
const FORMAT = 'v1';
const BLOCK_FILE = /^(\d+)-(0x[0-9a-f]{64})\.jsonl$/;
/** Folder with the files that cache chain ids by URL. */
const URLS = 'urls';
/** The total size is checked whenever a file has grown by the maximum total size divided by this number. */
const PART = 32;

export interface ForkCacheOptions {
  /** the folder, which is created if it doesn't exist */
  readonly dir: string;
  /** maximum total size of all blocks, in bytes */
  readonly size: number;
}

export interface ForkCacheDeps {
  /** wall time */
  readonly clock: Pick<Clock, 'now'>;
  /** Called if files can't be written or read: the chain continues without the cache. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A block in the cache. */
export interface CachedFork extends ForkBlock {
  readonly path: string;
  /** bytes */
  readonly size: number;
  /** when it was last used, milliseconds since the Unix epoch */
  readonly used: number;
}

/**
 * The cache of data fetched for forked chains, in a folder: `v1/CHAIN ID/NUMBER-HASH.jsonl` for each fork block. Any number of processes
 * can use it at the same time, see {@link BlockFile}.
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

  /** All blocks, or those of a chain or with a number, newest first. */
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
      // The file was removed meanwhile.
      return undefined;
    }
  }

  /** Opens the entries of a block. If there is no room, the least recently used blocks are evicted. */
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
   * Evicts the least recently used blocks until the total size is within the limit.
   * @param limit bytes
   * @param kept path of a file that isn't removed
   * @returns the removed blocks
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

  /** @returns whether the file is removed. Windows doesn't remove a file that a process has open. */
  remove({ path }: CachedFork): boolean {
    try {
      rmSync(path, { force: true });
      return true;
    } catch (error) {
      this.#deps.onError?.(error);
      return false;
    }
  }

  /** The cached chain id of a node by its URL. */
  chainOf(url: string): bigint | undefined {
    try {
      const text = readFileSync(this.#urlFile(url), 'utf8').trim();
      return /^\d{1,78}$/.test(text) ? BigInt(text) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Caches a node's chain id. Only a hash of the URL is stored, since the URL may contain an API key. */
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
    // The folder doesn't exist or can't be read: nothing is cached then.
    return [];
  }
}
