import type { Awaitable } from '../../state/view.ts';
import { encodeFrame, type Frame, FrameReader, frameSize, keyLength, valueLength } from './change-frame.ts';
import { LOG_BEGINNING, type WriteAheadLog } from './write-ahead-log.ts';

const FIRST_SLOTS = 4_096;
/** Bytes of memory that are prepared at a time: a quarter of a millisecond's work. */
const PIECE = 64 * 1024;
/** Bytes that are prepared before the first change: those of some 1,000 blocks of one transaction. */
const PREPARED_FIRST = 8 * 2 ** 20;
/**
 * Bytes of the first buffer, unless it was prepared. Most nodes of a program's tests make a few blocks only, and memory that the
 * process has used before costs time: it must be zeroed.
 */
const FIRST = 2 ** 20;
/** Bytes of entries that aren't indexed yet, above which they are at once: the first read after them would wait for all of them. */
const MOST_UNINDEXED = 2 ** 20;
/** Bytes that are kept prepared after that. */
const PREPARED = 2 ** 19;

export interface GatheredWritesDeps {
  /** where the changes are kept until LevelDB has them; absent when nobody opens the database again */
  readonly log?: WriteAheadLog | undefined;
  /** gives frames to LevelDB: all that lies between the offsets */
  readonly fill: (bytes: Uint8Array, range: { from: number; to: number }) => Promise<void>;
}

/**
 * Changes that LevelDB hasn't yet, in two buffers: one gets the new changes while LevelDB is given those of the other.
 * Reads must look here first.
 */
export class GatheredWrites {
  readonly #deps: GatheredWritesDeps;
  #held: Gathering;
  #leaving: Gathering;
  /** the addition that waits for the disk */
  #adding: Promise<void> | undefined;
  #isFilling = false;
  #isPreparing = false;
  #written: Promise<void> = Promise.resolve();

  /** @param options.room most that is gathered in a buffer before LevelDB gets it, in bytes */
  constructor({ room }: { room: number }, deps: GatheredWritesDeps) {
    this.#deps = deps;
    this.#held = new Gathering(0, room, Math.min(room, FIRST));
    // Needed only when the first one is full, by a node that goes on like that.
    this.#leaving = new Gathering(1, room, room);
  }

  /**
   * Adds changes. They can be read and outlive the process once the promise resolves.
   * @returns false when they are too many
   * @throws the error of the log, or of LevelDB for earlier changes; they aren't added then
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
   * Prepares a piece of memory for the first changes. The operating system gives a process each page of its memory when that is
   * first written to. To wait for the two pages of a small block takes as long as everything else that is done to store it.
   * @returns whether there is more to prepare
   */
  prepare(): boolean {
    this.#held.makeWhole();
    return this.#held.prepare(PREPARED_FIRST);
  }

  /** Prepares a piece of memory after the requests of this turn of the event loop, so that none of them waits for it. */
  #prepareSoon(): void {
    if (this.#isPreparing || this.#held.prepared >= PREPARED) return;
    this.#isPreparing = true;
    setImmediate(() => {
      this.#isPreparing = false;
      this.#held.prepare(PREPARED);
    });
  }

  /** The value of a key, if it is gathered. */
  find(key: Uint8Array): Uint8Array | undefined {
    return this.#held.find(key) ?? this.#leaving.find(key);
  }

  /**
   * Gives LevelDB all that is gathered.
   * @throws the error of this write, or of an earlier one
   */
  async flush(): Promise<void> {
    await this.#idle();
    if (this.#held.isEmpty) return;
    this.#begin();
    await this.#written;
  }

  /** Resolves when the write under way has ended, successfully or not. */
  async written(): Promise<void> {
    await this.#written.catch(() => {});
  }

  /** Resolves when nothing is on its way to LevelDB or to the log. */
  async #idle(): Promise<void> {
    while (this.#isFilling || this.#adding) {
      if (this.#isFilling) await this.#written;
      else await this.#adding?.catch(() => {});
    }
  }

  /** Begins to give LevelDB what is gathered. After a failure that never ends, so that nothing is written any more. */
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

/** One buffer of frames, which is laid out like its file. */
class Gathering {
  readonly #file: 0 | 1;
  readonly room: number;
  readonly #first: number;
  /** grows up to all of its room; what isn't written to takes no memory */
  #bytes = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);
  /** up to where the memory is prepared, or a frame was written, which may wait for the disk */
  #prepared = 0;
  /** where the next frame begins */
  #end = 0;
  /** up to where {@link Gathering.#slots} has the entries */
  #indexed = LOG_BEGINNING.length;
  /** by the hash of a key, where the entry's key is, 0 = free, and that hash: two words */
  #slots = new Int32Array();
  #taken = 0;

  /** @param first bytes that are made for the first change */
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

  /** Bytes that are prepared behind those that are gathered; infinite when all are. */
  get prepared(): number {
    return this.#prepared >= this.room ? Number.POSITIVE_INFINITY : this.#prepared - this.#end;
  }

  /** Writes zeros to the next piece behind what is gathered. @returns whether less than so many bytes are prepared then */
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

  /** Makes room for so many bytes, and keeps what is gathered. Others may still read from the buffer that was there before. */
  #make(bytes: number): void {
    const { length } = this.#bytes;
    if (length > 0 && bytes <= length) return;
    const grown = new Uint8Array(Math.min(this.room, Math.max(bytes, this.#first, 4 * length)));
    grown.set(this.#bytes.subarray(0, this.#prepared));
    this.#bytes = grown;
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** @returns a promise where the log waits for the disk */
  add(frame: Frame, size: number, log: WriteAheadLog | undefined): Promise<void> | undefined {
    const { end } = this;
    this.#make(end + size);
    const { bytes } = this;
    if (this.isEmpty) bytes.set(LOG_BEGINNING);
    encodeFrame(frame, bytes, end, { checksum: log !== undefined, view: this.#view });
    this.#prepared = Math.max(this.#prepared, end + size);
    const done = () => {
      this.#end = end + size;
      if (this.#end - this.#indexed > MOST_UNINDEXED) this.#index();
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
    // A copy: the buffer is used again.
    return this.bytes.slice(valueAt, valueAt + valueLength(this.#view, keyAt));
  }

  /** Entries are indexed when one is looked for, or when they are many: hundreds of empty blocks are written without a read in between. */
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

  /** Looks at no key: with hundreds of thousands of them, each would be fetched from memory. */
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

  /** Offset of the slot of a key, or of the free slot for it. The key is in `key`, from `from` on. */
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

/** 24 bits of which the lowest are spread best: a product's upper bits depend on all bits of its factors. */
function hashOf(key: Uint8Array, from: number, to: number): number {
  // The last bytes of a key are of a hash or of a number.
  let last = key[from]!;
  for (let i = Math.max(from, to - 4); i < to; i++) last = (last << 8) ^ key[i]!;
  return Math.imul(last, 0x9e3779b1) >>> 8;
}
