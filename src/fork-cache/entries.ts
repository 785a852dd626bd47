import type { CacheEntry } from './cache-entry.ts';
import { keyOf } from './cache-entry.ts';

/** The cached results for a fork block, which needn't be fetched from the remote node. */
export interface Entries {
  /**
   * @param key see {@link keyOf}
   * @param mustBeProved whether to ignore entries without a proof
   */
  find(key: string, mustBeProved: boolean): CacheEntry | undefined;
  add(entries: readonly CacheEntry[]): void;
  close(): void;
}

/** Entries in memory only. */
export class MemoryEntries implements Entries {
  readonly #entries = new Map<string, CacheEntry>();

  find(key: string, mustBeProved: boolean): CacheEntry | undefined {
    const entry = this.#entries.get(key);
    return entry && (entry.proved || !mustBeProved) ? entry : undefined;
  }

  add(entries: readonly CacheEntry[]): void {
    for (const entry of entries) this.#entries.set(keyOf(entry.method, entry.params), entry);
  }

  close(): void {}
}
