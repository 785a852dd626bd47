import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { Level } from 'level';
import { accessError, DataDirError, damaged } from './data-dir-error.ts';
import { type GatheredWrite, GatheredWrites } from './gathered-writes.ts';

export type Entry = readonly [key: Uint8Array, value: Uint8Array];

export interface CheckedLevelOptions {
  /** LevelDB's own directory */
  readonly path: string;
  /** the data directory, for messages */
  readonly dir: string;
  /** whether to create an empty database when there is none */
  readonly create: boolean;
  /** whether a batch is complete only when it is on the disk, not just with the operating system */
  readonly fsync: boolean;
  /**
   * The database isn't opened again after this process. Batches are then gathered and written many at once, in the
   * background, and values have no checksums.
   */
  readonly scratch?: boolean;
}

const CHECKSUM_BYTES = 4;

type KeyRange = { gte?: Uint8Array; lt?: Uint8Array; reverse?: boolean; limit?: number };

/**
 * LevelDB with a CRC-32 of key and value appended to each value and checked at each read. LevelDB has checksums of
 * its own, but silently drops log records that fail them, and doesn't check them when it reads a table.
 */
export class CheckedLevel {
  readonly #level: Level<Uint8Array, Buffer>;
  readonly #options: CheckedLevelOptions;
  readonly #gathered: GatheredWrites | undefined;

  constructor(options: CheckedLevelOptions) {
    this.#options = options;
    this.#gathered = options.scratch
      ? new GatheredWrites({ write: (records) => this.#writeAll(records) })
      : undefined;
    this.#level = new Level(options.path, {
      keyEncoding: 'view',
      valueEncoding: 'buffer',
      createIfMissing: options.create,
    });
  }

  /** @throws DataDirError `locked`, `inaccessible`, or `damaged` when LevelDB can't open it */
  async open(): Promise<void> {
    try {
      await this.#level.open();
    } catch (error) {
      const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
      const { dir } = this.#options;
      if (cause?.code === 'LEVEL_LOCKED')
        throw new DataDirError(
          'locked',
          dir,
          'in use by another process. Stop it, or use another directory',
          { cause },
        );
      throw this.#unusable('LevelDB says', cause ?? error);
    }
  }

  /** The error for data that is missing or wrong in this database. */
  damaged(reason: string, cause?: unknown): DataDirError {
    return damaged(this.#options.dir, reason, cause);
  }

  #unusable(what: string, error: unknown): unknown {
    const refused = accessError(this.#options.dir, error);
    return refused === error ? this.damaged(`${what}: ${(error as Error).message}`, error) : refused;
  }

  /** @param lost whether the database isn't opened again: writes that haven't begun are then dropped */
  async close(lost = false): Promise<void> {
    if (lost) await this.#gathered?.written();
    else await this.#gathered?.flush();
    await this.#level.close();
  }

  /**
   * Lets LevelDB rebuild what it can of a closed database.
   * @throws DataDirError `damaged` when nothing can be rebuilt, `inaccessible`
   */
  async rebuild(): Promise<void> {
    // The types of `level` have only what browsers support too; on Node.js the class is classic-level's, which has
    // `repair`.
    const level = Level as unknown as { repair(path: string): Promise<void> };
    try {
      await level.repair(this.#options.path);
    } catch (error) {
      throw this.#unusable("LevelDB can't repair it", error);
    }
  }

  /** @throws DataDirError `damaged` when the value isn't what was written */
  get(key: Uint8Array): Uint8Array | undefined {
    return this.read(key)?.value;
  }

  /** Like `get`, and also returns the checksum. */
  read(key: Uint8Array): { value: Uint8Array; checksum: number } | undefined {
    let stored: Uint8Array | undefined;
    try {
      const gathered = this.#gathered?.find(key);
      stored = gathered ? gathered.stored : this.#level.getSync(key);
    } catch (error) {
      throw this.damaged(`a record can't be read: ${error}`, error);
    }
    return stored && this.#checked(key, stored);
  }

  #checked(key: Uint8Array, stored: Uint8Array): { value: Uint8Array; checksum: number } {
    if (this.#options.scratch) return { value: plain(stored), checksum: this.checksumOf([key, stored]) };
    const length = stored.byteLength - CHECKSUM_BYTES;
    if (length < 0) throw this.damaged('a record is cut short');
    const value = new Uint8Array(stored.buffer, stored.byteOffset, length);
    const checksum = (stored as Buffer).readUInt32BE(length);
    if (this.checksumOf([key, value]) !== checksum) throw this.damaged('a record differs from its checksum');
    return { value, checksum };
  }

  /** All keys, in ascending order. */
  async *keys(): AsyncGenerator<Uint8Array> {
    yield* this.#keys({});
  }

  /** All keys as of now, in ascending order, in lists of at most `size` keys. */
  async *keyRuns(size: number): AsyncGenerator<Uint8Array[]> {
    await this.#gathered?.flush();
    const iterator = this.#level.keys();
    try {
      for (;;) {
        const keys = await iterator.nextv(size);
        if (keys.length === 0) return;
        yield keys;
      }
    } catch (error) {
      throw this.damaged(`the records can't be listed: ${error}`, error);
    } finally {
      await iterator.close();
    }
  }

  /**
   * All records as of now with keys from `start` (inclusive) to `end` (exclusive), in lists of at most `size`.
   * @throws DataDirError `damaged`, also when a value isn't what was written
   */
  async *entryRuns(start: Uint8Array, end: Uint8Array, size: number): AsyncGenerator<Entry[]> {
    await this.#gathered?.flush();
    const iterator = this.#level.iterator({ gte: start, lt: end });
    try {
      for (;;) {
        const run = await iterator.nextv(size);
        if (run.length === 0) return;
        yield run.map(([key, stored]): Entry => [key, this.#checked(key, stored).value]);
      }
    } catch (error) {
      throw error instanceof DataDirError
        ? error
        : this.damaged(`the records can't be listed: ${error}`, error);
    } finally {
      await iterator.close();
    }
  }

  /** Moves the contents of LevelDB's log to a table. */
  async flush(): Promise<void> {
    // Like `repair`, this method is classic-level's. LevelDB begins each compaction by writing its memory to a table,
    // whatever the range: the range here is empty.
    await this.#gathered?.flush();
    const level = this.#level as unknown as {
      compactRange(start: Uint8Array, end: Uint8Array): Promise<void>;
    };
    await level.compactRange(Uint8Array.of(0), Uint8Array.of(1));
  }

  /** The first key with a prefix, or the last one with `reverse`. */
  async endKey(prefix: number, { reverse = false } = {}): Promise<Uint8Array | undefined> {
    const range = { gte: Uint8Array.of(prefix), lt: Uint8Array.of(prefix + 1), reverse, limit: 1 };
    for await (const key of this.#keys(range)) return key;
    return undefined;
  }

  async *#keys(range: KeyRange): AsyncGenerator<Uint8Array> {
    await this.#gathered?.flush();
    try {
      for await (const key of this.#level.keys(range)) yield key;
    } catch (error) {
      throw this.damaged(`the records can't be listed: ${error}`, error);
    }
  }

  /** Writes all or nothing; a key in both lists is put. */
  async write(puts: readonly Entry[], deletes: Iterable<Uint8Array> = []): Promise<void> {
    if (this.#gathered) {
      for (const key of deletes) this.#gathered.add(key, undefined);
      for (const [key, value] of puts) this.#gathered.add(key, value);
      if (this.#gathered.isFull) await this.#gathered.spill();
      // Lets other work run, as waiting for the disk would.
      return setImmediate();
    }
    // A chained batch: the array form copies every operation together with the options, and takes twice as long.
    const batch = this.#level.batch();
    for (const key of deletes) batch.del(key);
    for (const entry of puts) batch.put(entry[0], this.#stored(entry));
    // `sync` is an option of classic-level; abstract-level passes it on.
    const options: object = { sync: this.#options.fsync };
    await batch.write(options);
  }

  /**
   * CRC-32 of key and value, so that a value stored under another key is detected too. 0 when values have no
   * checksums.
   */
  checksumOf([key, value]: Entry): number {
    if (this.#options.scratch) return 0;
    const ofKey = crc32(key);
    // zlib's crc32 returns 0 for no bytes that lie nowhere, whatever was before them.
    return value.length === 0 ? ofKey : crc32(value, ofKey);
  }

  #stored(entry: Entry): Buffer {
    const [, value] = entry;
    if (this.#options.scratch) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    // Allocated from Node's buffer pool, like the keys.
    const stored = Buffer.allocUnsafe(value.length + CHECKSUM_BYTES);
    stored.set(value);
    stored.writeUInt32BE(this.checksumOf(entry), value.length);
    return stored;
  }

  async #writeAll(records: Iterable<GatheredWrite>): Promise<void> {
    const batch = this.#level.batch();
    for (const { key, stored } of records) {
      if (stored) batch.put(key, this.#stored([key, stored]));
      else batch.del(key);
    }
    await batch.write();
  }
}

/** Slices of a Buffer are Buffers; a plain Uint8Array avoids that. */
function plain(bytes: Uint8Array): Uint8Array {
  return bytes.constructor === Uint8Array
    ? bytes
    : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
