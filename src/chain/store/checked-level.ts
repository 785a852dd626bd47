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
  /** whether a batch is complete only when it is on the disk, not just with the operating system */
  readonly fsync: boolean;
  /** The database isn't opened again after this process: values have no checksums, and changes aren't logged. */
  readonly scratch?: boolean;
  /** whether each change has a batch record; default true */
  readonly records?: boolean;
  /**
   * Bytes of changes that are gathered before LevelDB gets them, see {@link GatheredWrites}. 0 = none are gathered. Default:
   * 1 MiB, of which twice as much is read back after a kill; 16 MiB where the database isn't opened again.
   */
  readonly room?: number;
  /** script of the thread that gives LevelDB the gathered changes; default: that of the build, if there is one */
  readonly thread?: URL;
  /** bytes of changes that LevelDB gets before the thread is started for it; default 8 MiB */
  readonly threadAfter?: number;
}

export interface CheckedLevelDeps {
  /** holds the gathered changes until LevelDB has them; without it they are gathered only if nobody opens the database again */
  readonly log?: WriteAheadLog | undefined;
  readonly disk?: Disk | undefined;
}

const CHECKSUM_BYTES = 4;
const ROOM = 2 ** 20;
const SCRATCH_ROOM = 2 ** 24;
const THREAD_AFTER = 8 * 2 ** 20;
/** Bytes of frames that the other thread gets at a time, about: they are copied for it in one go. */
const PIECE = 2 ** 20;

/** LevelDB directories that this process has open. LevelDB itself would let its other threads in. */
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
      // LevelDB opens by itself soon after it was made: it would take the directory when the other chain has left it.
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

  /** @param lost whether the database isn't opened again: writes that haven't begun are then dropped */
  async close(lost = false): Promise<void> {
    this.#isClosing = true;
    this.#isLost = lost;
    if (lost) await this.#gathered?.written();
    else
      await this.#gathered?.flush().catch((error) => {
        // The log has what LevelDB lacks, for the next opening.
        if (!this.#log) throw error;
      });
    this.#log?.close();
    // First of all that have the database open, since LevelDB's cache belongs to this thread.
    await this.#thread?.close();
    await this.#level.close();
    if (this.#isOpen) open.delete(resolve(this.#options.path));
    this.#isOpen = false;
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
   * All keys as of now that come after a key, in ascending order, in lists of at most `size` keys. Until the end LevelDB keeps all
   * that was there at the beginning, also what is removed meanwhile.
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
   * All records as of now with keys from `start` (inclusive) to `end` (exclusive), in lists of at most `size`.
   * @throws DataDirError `damaged`, also when a value isn't what was written
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

  /** Waits until LevelDB has all that is written now. */
  async settled(): Promise<void> {
    await this.#gathered?.flush();
  }

  /** Moves the contents of LevelDB's log to a table. */
  async flush(): Promise<void> {
    // LevelDB begins each compaction by writing its memory to a table, whatever the range: the range here is empty.
    await this.compact(Uint8Array.of(0), Uint8Array.of(1));
  }

  /**
   * Writes the tables with keys from `start` to `end`, both included, anew, without what was removed, so that its space is free. They are on
   * the disk then, also where changes aren't.
   */
  async compact(start: Uint8Array, end: Uint8Array): Promise<void> {
    await this.settled();
    await this.#classic.compactRange(start, end);
  }

  /** Bytes of the tables that have keys from `start` (inclusive) to `end` (exclusive), about. */
  sizeOf(start: Uint8Array, end: Uint8Array): Promise<number> {
    return this.#classic.approximateSize(start, end);
  }

  /** As with `repair`, the types of `level` lack these methods, which are classic-level's. */
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
   * Writes changes, all or nothing. Once that is done they can be read, and survive the death of the process.
   * @throws the error of LevelDB, also that of an earlier change, or DataDirError `inaccessible` when the log can't be
   *   written
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

  /** Gives LevelDB a frame that isn't gathered. */
  async #fillFrame(frame: Frame): Promise<void> {
    const bytes = new Uint8Array(frameSize(frame));
    encodeFrame(frame, bytes, 0, { checksum: false });
    await this.#gathered?.flush();
    await this.fill(bytes, { from: 0, to: bytes.length });
  }

  /** Writes frames to LevelDB that aren't gathered. */
  fill(bytes: Uint8Array, range: { from: number; to: number }): Promise<void> {
    return this.#disk.batch(() => fill(this.#level, bytes, range, this.#storing));
  }

  get #storing(): Storing {
    const { scratch = false, records = true, fsync } = this.#options;
    return { checksums: !scratch, records, fsync };
  }

  /**
   * Writes a buffer, and starts another thread for that if the chain grows fast: a thread takes 10 MB and a tenth of a second
   * to start.
   */
  async #fillGathered(bytes: Uint8Array, { from, to }: { from: number; to: number }): Promise<void> {
    const { path, thread, threadAfter = THREAD_AFTER } = this.#options;
    const before = this.#filled;
    this.#filled += to - from;
    if (!this.#isClosing && before < threadAfter && this.#filled >= threadAfter)
      this.#thread = FillThread.start(path, thread);
    // A large buffer can wait for the thread, as the next one is empty.
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
      // What it had written already is written again.
      await this.fill(bytes, { from, to });
    }
  }

  /** Writes entries that aren't a change of the chain, all or nothing; a key in both lists is put. */
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

/** Slices of a Buffer are Buffers; a plain Uint8Array avoids that. */
function plain(bytes: Uint8Array): Uint8Array {
  return bytes.constructor === Uint8Array
    ? bytes
    : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
