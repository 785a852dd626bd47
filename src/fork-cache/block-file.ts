import { closeSync, fstatSync, futimesSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../clock.ts';
import { type CacheEntry, decodeEntry, encodeEntry, keyOf } from './cache-entry.ts';
import { type Entries, MemoryEntries } from './entries.ts';

/** Number of bytes read at a time. */
const CHUNK = 2 ** 20;
const NEWLINE = 0x0a;

/** Maximum total size in bytes of lines whose entries are kept in memory, so that a small file is read only once. */
const MAX_HELD = 8 * 2 ** 20;

/** The position of an entry in the file. */
interface Place {
  readonly at: number;
  readonly length: number;
  readonly proved: boolean;
  /** the decoded entry; absent beyond {@link MAX_HELD} */
  readonly entry: CacheEntry | undefined;
}

interface Deps {
  /** wall time */
  readonly clock: Pick<Clock, 'now'>;
  /** Called before the file grows. @param size the new size of the file in bytes @param added the number of new bytes */
  readonly mayGrow?: (size: number, added: number) => boolean;
  /** Called once if the file can't be used: entries are then kept only in memory. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * The entries of one fork block in an append-only file, one line with a checksum per entry.
 *
 * It isn't a LevelDB, because only one process can have a LevelDB open: the workers of a test suite run at the same time, each with its own
 * chain, and data fetched by one of them must be available to the others. Any number of processes can write to a file opened for appending
 * (O_APPEND), since the operating system appends each write as a whole, and all of them can read it meanwhile. No locks and no repairs are
 * needed: a line that a killed process left unfinished, or whose bytes have changed, fails its checksum, and its data is fetched again.
 */
export class BlockFile implements Entries {
  readonly #path: string;
  readonly #deps: Deps;
  readonly #places = new Map<string, Place>();
  /** entries that couldn't be written */
  readonly #unwritten = new MemoryEntries();
  #file: number | undefined;
  /** how many bytes of the file have been read */
  #read = 0;
  /** total size in bytes of the lines whose entries are in memory */
  #held = 0;

  constructor(options: { path: string }, deps: Deps) {
    this.#path = options.path;
    this.#deps = deps;
    try {
      mkdirSync(dirname(this.#path), { recursive: true });
      this.#file = openSync(this.#path, 'a+');
      this.#touch();
      this.#readOn();
      // The file ends with an unfinished line of a killed process. Without a newline it would spoil the next line, too.
      if (this.#read < this.size) writeSync(this.#file, '\n');
    } catch (error) {
      this.#giveUp(error);
    }
  }

  get path(): string {
    return this.#path;
  }

  /** bytes */
  get size(): number {
    return this.#file === undefined ? 0 : fstatSync(this.#file).size;
  }

  /** number of different entries */
  get count(): number {
    return this.#places.size;
  }

  find(key: string, mustBeProved: boolean): CacheEntry | undefined {
    const unwritten = this.#unwritten.find(key, mustBeProved);
    if (unwritten || this.#file === undefined) return unwritten;
    try {
      return (
        this.#stored(key, mustBeProved) ?? (this.#readOn() ? this.#stored(key, mustBeProved) : undefined)
      );
    } catch (error) {
      this.#giveUp(error);
      return undefined;
    }
  }

  /** All entries, in the order in which they were written. */
  *entries(): Generator<CacheEntry> {
    this.#readOn();
    for (const key of this.#places.keys()) {
      const entry = this.#stored(key, false);
      if (entry) yield entry;
    }
  }

  add(entries: readonly CacheEntry[]): void {
    const added = entries.filter(
      (entry) => !this.find(keyOf(entry.method, entry.params), entry.proved ?? false),
    );
    if (added.length === 0) return;
    const bytes = Buffer.from(added.map((entry) => `${encodeEntry(entry)}\n`).join(''));
    const { mayGrow } = this.#deps;
    if (this.#file === undefined || mayGrow?.(this.size + bytes.length, bytes.length) === false) {
      this.#unwritten.add(added);
      return;
    }
    try {
      // After a partial write, the incomplete line fails its checksum.
      if (writeSync(this.#file, bytes) < bytes.length) throw new Error('the disk is full');
      this.#readOn();
    } catch (error) {
      this.#giveUp(error);
      this.#unwritten.add(added);
    }
  }

  close(): void {
    if (this.#file === undefined) return;
    try {
      this.#touch();
    } finally {
      closeSync(this.#file);
      this.#file = undefined;
    }
  }

  /** The file's modification time records when its block was last used. */
  #touch(): void {
    const seconds = this.#deps.clock.now() / 1000;
    futimesSync(this.#file!, seconds, seconds);
  }

  #stored(key: string, mustBeProved: boolean): CacheEntry | undefined {
    const place = this.#places.get(key);
    if (!place || (mustBeProved && !place.proved)) return undefined;
    if (place.entry) return place.entry;
    const line = Buffer.allocUnsafe(place.length);
    readSync(this.#file!, line, 0, place.length, place.at);
    const entry = decodeEntry(line);
    if (entry && keyOf(entry.method, entry.params) === key) return entry;
    // The bytes of the line have changed since the line was read.
    this.#places.delete(key);
    return undefined;
  }

  /** Reads the entries that any process has added since the file was last read. @returns whether there were any */
  #readOn(): boolean {
    const file = this.#file!;
    const { size } = fstatSync(file);
    if (size <= this.#read) return false;
    let held = Buffer.alloc(0);
    for (let at = this.#read; at < size; ) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK, size - at));
      const length = readSync(file, chunk, 0, chunk.length, at);
      if (length === 0) break;
      at += length;
      const bytes = Buffer.concat([held, chunk.subarray(0, length)]);
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        this.#note(bytes.subarray(start, end), this.#read);
        this.#read += end + 1 - start;
        start = end + 1;
      }
      held = bytes.subarray(start);
    }
    return true;
  }

  #note(line: Buffer, at: number): void {
    const { length } = line;
    const entry = length > 0 ? decodeEntry(line) : undefined;
    if (!entry) return;
    const key = keyOf(entry.method, entry.params);
    const { proved = false } = entry;
    // Of duplicate entries the first is kept, unless only the later one is proved.
    if (!proved && this.#places.has(key)) return;
    const isHeld = this.#held + length <= MAX_HELD;
    if (isHeld) this.#held += length;
    this.#places.set(key, { at, length, proved, entry: isHeld ? entry : undefined });
  }

  #giveUp(error: unknown): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#deps.onError?.(error);
  }
}
