import type { Awaitable } from '../../state/view.ts';
import { encodeFrame, type Frame, FrameReader, frameSize, keyLength, valueLength } from './change-frame.ts';
import { LOG_BEGINNING, type WriteAheadLog } from './write-ahead-log.ts';

const FIRST_SLOTS = 4_096;
/** Bytes of memory that are prepared at a time, which takes a quarter of a millisecond. */
const PIECE = 64 * 1024;
/** Bytes that are prepared before the first change: enough for about 1,000 blocks of one transaction. */
const PREPARED_FIRST = 8 * 2 ** 20;
/**
 * Initial size of the buffer in bytes, unless it was prepared. Kept small because most nodes in test suites make only a few blocks, and
 * memory that the process has used before must be zeroed, which takes time.
 */
const FIRST = 2 ** 20;
/** Above this many bytes of unindexed entries, they are indexed immediately, so that the next read doesn't have to index too many. */
const MAX_UNINDEXED = 2 ** 20;
/** Bytes that are kept prepared after the first change. */
const PREPARED = 2 ** 19;

export interface GatheredWritesDeps {
  /** stores the changes until LevelDB has them; absent if the database isn't opened again */
  readonly log?: WriteAheadLog | undefined;
  /** writes the frames between the offsets to LevelDB */
  readonly fill: (bytes: Uint8Array, range: { from: number; to: number }) => Promise<void>;
}

/**
 * Changes that LevelDB doesn't have yet, in two buffers: one gets the new changes while those of the other are written to
 * LevelDB. Reads must look here first.
 */
export class GatheredWrites {
  readonly #deps: GatheredWritesDeps;
  #held: Gathering;
  #leaving: Gathering;
  /** the addition that is waiting for the disk */
  #adding: Promise<void> | undefined;
  #isFilling = false;
  #isPreparing = false;
  #written: Promise<void> = Promise.resolve();

  /** @param options.room maximum size of a buffer, in bytes, before it is written to LevelDB */
  constructor({ room }: { room: number }, deps: GatheredWritesDeps) {
    this.#deps = deps;
    this.#held = new Gathering(0, room, Math.min(room, FIRST));
    // Allocated in full size when it is first used: a node that fills the first buffer will probably fill this one, too.
    this.#leaving = new Gathering(1, room, room);
  }

  /**
   * Adds changes. Once this returns or resolves, they can be read, and survive a crash of the process.
   * @returns false if they don't fit into a buffer
   * @throws the error of the log, or of LevelDB for earlier changes; the changes aren't added then
   */
  add(frame: Frame): Awaitable<boolean> {
    const size = frameSize(frame);
    if (LOG_BEGINNING.length + size > this.#held.room) return false;
    if (this.#held.end + size <= this.#held.room) return this.#add(frame, size);
    return this.#idle().then(() => {
      if (this.#held.end + size > this.#held.room) this.#begin();
      return this.#add(frame, size);
    });
  }

  #add(frame: Frame, size: number): Awaitable<boolean> {
    this.#adding = this.#held.add(frame, size, this.#deps.log);
    this.#prepareSoon();
    return (
      this.#adding
        ?.then(() => true)
        .finally(() => {
          this.#adding = undefined;
        }) ?? true
    );
  }

  /**
   * Prepares a piece of memory for the first changes. The operating system allocates each page of memory on the first write to it.
   * Waiting for the two pages of a small block takes as long as all other steps of storing the block.
   * @returns whether there is more to prepare
   */
  prepare(): boolean {
    this.#held.makeWhole();
    return this.#held.prepare(PREPARED_FIRST);
  }

  /** Prepares a piece of memory after the requests of this event-loop turn, so that none of them has to wait for it. */
  #prepareSoon(): void {
    if (this.#isPreparing || this.#held.prepared >= PREPARED) return;
    this.#isPreparing = true;
    setImmediate(() => {
      this.#isPreparing = false;
      this.#held.prepare(PREPARED);
    });
  }

  /** The value of a key, if a buffer contains it. */
  find(key: Uint8Array): Uint8Array | undefined {
    return this.#held.find(key) ?? this.#leaving.find(key);
  }

  /**
   * Writes all gathered changes to LevelDB.
   * @throws the error of this write, or of an earlier one
   */
  async flush(): Promise<void> {
    await this.#idle();
    if (this.#held.isEmpty) return;
    this.#begin();
    await this.#written;
  }

  /** Resolves when the write in progress has ended, successfully or not. */
  async written(): Promise<void> {
    await this.#written.catch(() => {});
  }

  /** Resolves when no write to LevelDB or to the log is in progress. */
  async #idle(): Promise<void> {
    while (this.#isFilling || this.#adding) {
      if (this.#isFilling) await this.#written;
      else await this.#adding?.catch(() => {});
    }
  }

  /** Begins to write the gathered changes to LevelDB. After a failure `#isFilling` stays true, so that nothing is written any more. */
  #begin(): void {
    [this.#held, this.#leaving] = [this.#leaving, this.#held];
    this.#isFilling = true;
    const { bytes, end } = this.#leaving;
    this.#written = this.#deps.fill(bytes, { from: LOG_BEGINNING.length, to: end }).then(() => {
      this.#leaving.clear();
      this.#isFilling = false;
    });
    // The next write reports a failure.
    this.#written.catch(() => {});
  }
}

/** One buffer of frames, with the same layout as its log file. */
class Gathering {
  readonly #file: 0 | 1;
  readonly room: number;
  readonly #first: number;
  /** grows up to `room` bytes; pages that weren't written to take no memory */
  #bytes = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);
  /** end of the prepared memory, or of the last written frame, which may still be waiting for the disk */
  #prepared = 0;
  /** offset of the next frame */
  #end = 0;
  /** end of the frames that {@link Gathering.#slots} contains */
  #indexed = LOG_BEGINNING.length;
  /** hash table of keys; two words per slot: the offset of the entry's key (0 = free), and the key's hash */
  #slots = new Int32Array();
  #taken = 0;

  /** @param first initial size of the buffer, in bytes */
  constructor(file: 0 | 1, room: number, first: number) {
    this.#file = file;
    this.room = room;
    this.#first = first;
  }

  get isEmpty(): boolean {
    return this.#end === 0;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  get end(): number {
    return this.#end || LOG_BEGINNING.length;
  }

  /** Bytes that are prepared after the gathered frames; infinite if the complete buffer is prepared. */
  get prepared(): number {
    return this.#prepared >= this.room ? Number.POSITIVE_INFINITY : this.#prepared - this.#end;
  }

  /** Writes zeros to the next unprepared piece. @returns whether fewer than `most` bytes are prepared afterwards */
  prepare(most: number): boolean {
    this.#make(Math.min(this.end + most, this.room));
    const from = this.#prepared;
    this.#prepared = Math.min(from + PIECE, this.#bytes.length);
    this.#bytes.fill(0, from, this.#prepared);
    return this.prepared < most;
  }

  makeWhole(): void {
    this.#make(this.room);
  }

  /** Grows the buffer to at least `bytes` bytes, and copies its content. Other code may still be reading from the old buffer. */
  #make(bytes: number): void {
    const { length } = this.#bytes;
    if (length > 0 && bytes <= length) return;
    const grown = new Uint8Array(Math.min(this.room, Math.max(bytes, this.#first, 4 * length)));
    grown.set(this.#bytes.subarray(0, this.#prepared));
    this.#bytes = grown;
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** @returns a promise if the log waits for the disk */
  add(frame: Frame, size: number, log: WriteAheadLog | undefined): Promise<void> | undefined {
    const { end } = this;
    this.#make(end + size);
    const { bytes } = this;
    if (this.isEmpty) bytes.set(LOG_BEGINNING);
    encodeFrame(frame, bytes, end, { checksum: log !== undefined, view: this.#view });
    this.#prepared = Math.max(this.#prepared, end + size);
    const done = () => {
      this.#end = end + size;
      if (this.#end - this.#indexed > MAX_UNINDEXED) this.#index();
    };
    log?.write(this.#file, bytes, this.#end, end + size);
    const synced = log?.synced(this.#file);
    if (synced) return synced.then(done);
    done();
    return undefined;
  }

  clear(): void {
    this.#end = 0;
    this.#indexed = LOG_BEGINNING.length;
    this.#slots.fill(0);
    this.#taken = 0;
  }

  find(key: Uint8Array): Uint8Array | undefined {
    if (this.isEmpty) return undefined;
    this.#index();
    if (this.#taken === 0) return undefined;
    const keyAt = this.#slots[this.#slotOf(hashOf(key, 0, key.length), key, 0, key.length)]!;
    if (keyAt === 0) return undefined;
    const valueAt = keyAt + key.length;
    // Copied, because the buffer is reused.
    return this.bytes.slice(valueAt, valueAt + valueLength(this.#view, keyAt));
  }

  /** Indexes the new entries. Called lazily, on a read, or if there are many: hundreds of empty blocks may be written without a read. */
  #index(): void {
    while (this.#indexed < this.#end) {
      const frame = new FrameReader(this.bytes, this.#indexed);
      while (frame.nextChange()) while (frame.nextEntry()) this.#put(frame.keyAt, frame.valueAt);
      this.#indexed = frame.end;
    }
  }

  #put(keyAt: number, keyEnd: number): void {
    if (this.#taken * 4 >= this.#slots.length) this.#grow();
    const hash = hashOf(this.bytes, keyAt, keyEnd);
    const at = this.#slotOf(hash, this.bytes, keyAt, keyEnd - keyAt);
    const slots = this.#slots;
    if (slots[at] === 0) this.#taken++;
    slots[at] = keyAt;
    slots[at + 1] = hash;
  }

  /** Doesn't read the keys themselves: with hundreds of thousands of keys, each read would be a CPU cache miss. */
  #grow(): void {
    const old = this.#slots;
    const slots = new Int32Array(Math.max(FIRST_SLOTS * 2, old.length * 2));
    const mask = slots.length - 1;
    for (let from = 0; from < old.length; from += 2) {
      if (old[from] === 0) continue;
      const hash = old[from + 1]!;
      let at = (2 * hash) & mask;
      while (slots[at] !== 0) at = (at + 2) & mask;
      slots[at] = old[from]!;
      slots[at + 1] = hash;
    }
    this.#slots = slots;
  }

  /** Offset of a key's slot, or of the free slot for it. @param from offset of the key in `key` */
  #slotOf(hash: number, key: Uint8Array, from: number, length: number): number {
    const slots = this.#slots;
    const { bytes } = this;
    const mask = slots.length - 1;
    for (let at = (2 * hash) & mask; ; at = (at + 2) & mask) {
      const keyAt = slots[at]!;
      if (keyAt === 0) return at;
      if (slots[at + 1] !== hash || keyLength(bytes, keyAt) !== length) continue;
      let same = 0;
      while (same < length && bytes[keyAt + same] === key[from + same]) same++;
      if (same === length) return at;
    }
  }
}

/** A 24-bit hash. Its lowest bits are spread well: they are upper bits of a product, which depend on all bits of the factors. */
function hashOf(key: Uint8Array, from: number, to: number): number {
  // The last bytes of a key are part of a hash or of a number, so they vary most.
  let last = key[from]!;
  for (let i = Math.max(from, to - 4); i < to; i++) last = (last << 8) ^ key[i]!;
  return Math.imul(last, 0x9e3779b1) >>> 8;
}
