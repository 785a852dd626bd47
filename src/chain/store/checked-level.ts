import { join, resolve } from 'node:path';
import { Level } from 'level';
import { type Awaitable, andThen } from '../../state/view.ts';
import type { Frame } from './change-frame.ts';
import { encodeFrame, frameLength, frameSize } from './change-frame.ts';
import { accessError, DataDirError, damaged } from './data-dir-error.ts';
import { DISK, type Disk } from './disk.ts';
import { checksumOf, type Database, fill, levelAt, type Storing, withCrc } from './fill.ts';
import { FillThread, ThreadLost } from './fill-thread.ts';
import { GatheredWrites } from './gathered-writes.ts';
import { lockHolder } from './lock-holder.ts';
import type { WriteAheadLog } from './write-ahead-log.ts';

export type Entry = readonly [key: Uint8Array, value: Uint8Array];

export interface CheckedLevelOptions {
  /** LevelDB's own directory */
  readonly path: string;
  /** the data directory, for messages */
  readonly dir: string;
  /** whether to create an empty database when there is none */
  readonly create: boolean;
  /** whether a batch is complete only once it is on the disk, not only in the operating system's cache */
  readonly fsync: boolean;
  /** The database isn't opened again after this process: values have no checksums, and changes aren't logged. */
  readonly scratch?: boolean;
  /** whether each change has a batch record; default true */
  readonly records?: boolean;
  /**
   * Bytes of changes that are gathered before they are written to LevelDB, see {@link GatheredWrites}. 0 = changes aren't gathered.
   * Default: 1 MiB, so that up to 2 MiB are read back after a kill; 16 MiB if the database isn't opened again.
   */
  readonly room?: number;
  /** script of the thread that writes the gathered changes to LevelDB; default: the one of the build, if any */
  readonly thread?: URL;
  /** the thread is started after this many bytes of changes were written to LevelDB; default 8 MiB */
  readonly threadAfter?: number;
}

export interface CheckedLevelDeps {
  /** stores the gathered changes until LevelDB has them; without a log, changes are gathered only if the database isn't opened again */
  readonly log?: WriteAheadLog | undefined;
  readonly disk?: Disk | undefined;
}

const CHECKSUM_BYTES = 4;
const ROOM = 2 ** 20;
const SCRATCH_ROOM = 2 ** 24;
const THREAD_AFTER = 8 * 2 ** 20;
/** Approximate number of bytes of frames that are copied and sent to the thread at a time. */
const PIECE = 2 ** 20;

/** LevelDB directories that this process has open. LevelDB itself doesn't exclude other openings in the same process. */
const open = new Set<string>();

type KeyRange = { gte?: Uint8Array; lt?: Uint8Array; reverse?: boolean; limit?: number };

/**
 * LevelDB with a CRC-32 of key and value appended to each value and checked at each read. LevelDB has checksums of
 * its own, but silently drops log records that fail them, and doesn't check them when it reads a table.
 */
export class CheckedLevel {
  readonly #level: Database;
  readonly #options: CheckedLevelOptions;
  readonly #log: WriteAheadLog | undefined;
  readonly #disk: Disk;
  readonly #gathered: GatheredWrites | undefined;
  #thread: FillThread | undefined;
  #filled = 0;
  #isOpen = false;
  #isClosing = false;
  #isLost = false;

  constructor(options: CheckedLevelOptions, { log, disk = DISK }: CheckedLevelDeps = {}) {
    this.#options = options;
    this.#log = log;
    this.#disk = disk;
    const { room = disk.room ?? (options.scratch ? SCRATCH_ROOM : ROOM) } = options;
    this.#gathered =
      room !== 0 && (options.scratch || log)
        ? new GatheredWrites({ room }, { log, fill: (bytes, range) => this.#fillGathered(bytes, range) })
        : undefined;
    this.#level = levelAt(options.path, options);
  }

  /** @throws DataDirError `locked`, `inaccessible`, or `damaged` when LevelDB can't open it */
  async open(): Promise<void> {
    const path = resolve(this.#options.path);
    if (open.has(path)) {
      // The Level object opens itself soon after its creation: it would lock the directory once the other chain has closed it.
      await this.#level.close();
      throw this.#locked();
    }
    open.add(path);
    try {
      await this.#level.open();
    } catch (error) {
      open.delete(path);
      const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
      throw cause?.code === 'LEVEL_LOCKED'
        ? this.#locked(cause)
        : this.#unusable('LevelDB says', cause ?? error);
    }
    this.#isOpen = true;
  }

  #locked(cause?: Error): DataDirError {
    const holder = cause ? lockHolder(join(this.#options.path, 'LOCK')) : process.pid;
    const who = holder === undefined ? 'another process' : `process ${holder}`;
    const advice =
      holder === process.pid
        ? `in use by another chain of this process (${holder}). Close that, or use another directory`
        : `in use by ${who}. Stop it, or use another directory`;
    return new DataDirError('locked', this.#options.dir, advice, { cause });
  }

  /** The error for data that is missing or wrong in this database. */
  damaged(reason: string, cause?: unknown): DataDirError {
    return damaged(this.#options.dir, reason, cause);
  }

  #unusable(what: string, error: unknown): unknown {
    const refused = accessError(this.#options.dir, error);
    return refused === error ? this.damaged(`${what}: ${(error as Error).message}`, error) : refused;
  }

  /** @param lost whether the database isn't opened again: writes that haven't begun are then discarded */
  async close(lost = false): Promise<void> {
    this.#isClosing = true;
    this.#isLost = lost;
    if (lost) await this.#gathered?.written();
    else
      await this.#gathered?.flush().catch((error) => {
        // The next opening reads the changes from the log.
        if (!this.#log) throw error;
      });
    this.#log?.close();
    // The worker thread closes the database first, since LevelDB's cache belongs to this thread.
    await this.#thread?.close();
    await this.#level.close();
    if (this.#isOpen) open.delete(resolve(this.#options.path));
    this.#isOpen = false;
  }

  /**
   * Lets LevelDB rebuild as much as possible of a closed database.
   * @throws DataDirError `damaged` when nothing can be rebuilt, `inaccessible`
   */
  async rebuild(): Promise<void> {
    // The types of `level` contain only methods that browsers also support; on Node.js the class is classic-level's, which
    // has `repair`.
    const level = Level as unknown as { repair(path: string): Promise<void> };
    try {
      await level.repair(this.#options.path);
    } catch (error) {
      throw this.#unusable("LevelDB can't repair it", error);
    }
  }

  /** @throws DataDirError `damaged` if the value differs from its checksum */
  get(key: Uint8Array): Uint8Array | undefined {
    return this.#gathered?.find(key) ?? this.#readStored(key)?.value;
  }

  /** Like `get`, and also returns the checksum; 0 when values have none. */
  read(key: Uint8Array): { value: Uint8Array; checksum: number } | undefined {
    const value = this.#gathered?.find(key);
    if (value) return { value, checksum: this.checksumOf([key, value]) };
    return this.#readStored(key);
  }

  #readStored(key: Uint8Array): { value: Uint8Array; checksum: number } | undefined {
    let stored: Uint8Array | undefined;
    try {
      stored = this.#level.getSync(key);
    } catch (error) {
      throw this.damaged(`a record can't be read: ${error}`, error);
    }
    return stored && this.#checked(key, stored);
  }

  #checked(key: Uint8Array, stored: Uint8Array): { value: Uint8Array; checksum: number } {
    if (this.#options.scratch) return { value: plain(stored), checksum: 0 };
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

  /**
   * All current keys after a key, in ascending order, in lists of at most `size` keys. Until the iteration ends, LevelDB keeps all
   * records of its beginning, including those that are removed in the meantime.
   */
  async *keyRuns(after: Uint8Array, size: number): AsyncGenerator<Uint8Array[]> {
    await this.settled();
    const iterator = this.#level.keys({ gt: after });
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
   * All current records with keys from `start` (inclusive) to `end` (exclusive), in lists of at most `size`.
   * @throws DataDirError `damaged`, also if a value differs from its checksum
   */
  async *entryRuns(start: Uint8Array, end: Uint8Array, size: number): AsyncGenerator<Entry[]> {
    await this.settled();
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

  /** Waits until LevelDB has all changes that were committed so far. */
  async settled(): Promise<void> {
    await this.#gathered?.flush();
  }

  /** Moves the contents of LevelDB's log to a table. */
  async flush(): Promise<void> {
    // LevelDB begins every compaction by writing its memory table to disk, so an empty range suffices.
    await this.compact(Uint8Array.of(0), Uint8Array.of(1));
  }

  /**
   * Compacts the tables with keys from `start` to `end` (both inclusive), which frees the space of removed records. The new tables are
   * flushed to disk, even without `fsync`.
   */
  async compact(start: Uint8Array, end: Uint8Array): Promise<void> {
    await this.settled();
    await this.#classic.compactRange(start, end);
  }

  /** Approximate size in bytes of the tables with keys from `start` (inclusive) to `end` (exclusive). */
  sizeOf(start: Uint8Array, end: Uint8Array): Promise<number> {
    return this.#classic.approximateSize(start, end);
  }

  /** Methods of classic-level that, like `repair`, the types of `level` don't contain. */
  get #classic() {
    return this.#level as unknown as {
      compactRange(start: Uint8Array, end: Uint8Array): Promise<void>;
      approximateSize(start: Uint8Array, end: Uint8Array): Promise<number>;
    };
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

  /**
   * Writes changes, atomically. Afterwards they can be read, and survive a crash of the process.
   * @throws the error of LevelDB, possibly from an earlier change, or DataDirError `inaccessible` if the log can't be written
   */
  commit(frame: Frame): Awaitable<void> {
    const fail = (error: unknown): never => {
      throw accessError(this.#options.dir, error);
    };
    let added: Awaitable<boolean> | undefined;
    try {
      added = this.#gathered?.add(frame);
    } catch (error) {
      return fail(error);
    }
    const isAdded = added instanceof Promise ? added.catch(fail) : added;
    return andThen(isAdded, (done) => (done ? undefined : this.#fillFrame(frame)));
  }

  /** Prepares memory, see {@link GatheredWrites.prepare}. @returns whether there is more to prepare */
  prepare(): boolean {
    return this.#gathered?.prepare() ?? false;
  }

  /** Writes a frame to LevelDB that was too large to be gathered. */
  async #fillFrame(frame: Frame): Promise<void> {
    const bytes = new Uint8Array(frameSize(frame));
    encodeFrame(frame, bytes, 0, { checksum: false });
    await this.#gathered?.flush();
    await this.fill(bytes, { from: 0, to: bytes.length });
  }

  /** Writes frames directly to LevelDB. */
  fill(bytes: Uint8Array, range: { from: number; to: number }): Promise<void> {
    return this.#disk.batch(() => fill(this.#level, bytes, range, this.#storing));
  }

  get #storing(): Storing {
    const { scratch = false, records = true, fsync } = this.#options;
    return { checksums: !scratch, records, fsync };
  }

  /**
   * Writes a buffer to LevelDB. Starts a thread for that only if the chain grows fast, because a thread takes 10 MB and a tenth
   * of a second to start.
   */
  async #fillGathered(bytes: Uint8Array, { from, to }: { from: number; to: number }): Promise<void> {
    const { path, thread, threadAfter = THREAD_AFTER } = this.#options;
    const before = this.#filled;
    this.#filled += to - from;
    if (!this.#isClosing && before < threadAfter && this.#filled >= threadAfter)
      this.#thread = FillThread.start(path, thread);
    // A large buffer can wait for the thread, because the other buffer is empty.
    if (to - from > PIECE) await this.#thread?.started();
    for (let at = from; at < to && !this.#isLost; ) {
      let end = at;
      while (end < to && end - at < PIECE) end += frameLength(bytes, end);
      await this.#fillPiece(bytes, { from: at, to: end });
      at = end;
    }
  }

  async #fillPiece(bytes: Uint8Array, { from, to }: { from: number; to: number }): Promise<void> {
    if (!this.#thread?.isReady) return this.fill(bytes, { from, to });
    const piece = bytes.slice(from, to);
    try {
      await this.#thread.fill({ bytes: piece, range: { from: 0, to: piece.length }, storing: this.#storing });
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error;
      // Writes everything again, including records that the thread may already have written.
      await this.fill(bytes, { from, to });
    }
  }

  /** Writes entries that aren't a change of the chain, atomically. A key in both lists is put. */
  async write(puts: readonly Entry[], deletes: Iterable<Uint8Array> = []): Promise<void> {
    const batch = this.#level.batch();
    for (const key of deletes) batch.del(key);
    for (const [key, value] of puts) batch.put(key, this.#options.scratch ? value : withCrc(key, value));
    const options: object = { sync: this.#options.fsync };
    await this.#disk.batch(() => batch.write(options));
  }

  /** CRC-32 of key and value; 0 when values have no checksums. */
  checksumOf([key, value]: Entry): number {
    return this.#options.scratch ? 0 : checksumOf(key, value);
  }
}

/** Converts a Buffer to a Uint8Array of the same bytes, so that slices of it aren't Buffers. */
function plain(bytes: Uint8Array): Uint8Array {
  return bytes.constructor === Uint8Array
    ? bytes
    : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
