/** Bytes, roughly, that are held before they are written: so many take a few milliseconds, in which others are held. */
const MOST = 2 ** 18;
/** What a record costs besides its bytes. */
const OVERHEAD = 200;

/** A record that is to be written; without a value it is to be deleted. */
export interface GatheredWrite {
  readonly key: Uint8Array;
  readonly stored: Uint8Array | undefined;
}

/** Records that are to be written and aren't yet; reads look here first. */
export class GatheredWrites {
  readonly #write: (records: Iterable<GatheredWrite>) => Promise<void>;
  #held = new Records();
  /** those that are being written */
  #leaving = new Records();
  #written: Promise<void> = Promise.resolve();

  /** @param options.write writes all or nothing; the last one of a key counts */
  constructor(options: { write: (records: Iterable<GatheredWrite>) => Promise<void> }) {
    this.#write = options.write;
  }

  get isFull(): boolean {
    return this.#held.size > MOST;
  }

  add(key: Uint8Array, stored: Uint8Array | undefined): void {
    this.#held.add({ key, stored });
  }

  /** @returns `undefined` where nothing is known of the key */
  find(key: Uint8Array): GatheredWrite | undefined {
    if (this.#held.size === 0 && this.#leaving.size === 0) return undefined;
    const name = nameOf(key);
    return this.#held.find(name) ?? this.#leaving.find(name);
  }

  /** Writes what there is. @throws what the write throws, or one that {@link spill} began */
  flush(): Promise<void> {
    this.#written = this.#written.then(async () => {
      if (this.#held.size === 0) return;
      this.#leaving = this.#held;
      this.#held = new Records();
      await this.#write(this.#leaving.list);
      this.#leaving = new Records();
    });
    return this.#written;
  }

  /** Resolves when what is being written is, or couldn't be. */
  async written(): Promise<void> {
    await this.#written.catch(() => {});
  }

  /** Begins to write what there is, when what was begun before is written. @throws what that one threw */
  async spill(): Promise<void> {
    await this.#written;
    // Whoever writes next is told of a failure.
    this.flush().catch(() => {});
  }
}

class Records {
  readonly list: GatheredWrite[] = [];
  /** bytes, roughly */
  size = 0;
  readonly #byName = new Map<string, GatheredWrite>();
  #named = 0;

  add(record: GatheredWrite): void {
    this.list.push(record);
    this.size += OVERHEAD + record.key.length + (record.stored?.length ?? 0);
  }

  /** Names take as long as all else, and thousands of empty blocks are written without a read in between. */
  find(name: string): GatheredWrite | undefined {
    for (; this.#named < this.list.length; this.#named++) {
      const record = this.list[this.#named]!;
      this.#byName.set(nameOf(record.key), record);
    }
    return this.#byName.get(name);
  }
}

const nameOf = (key: Uint8Array) => Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1');
