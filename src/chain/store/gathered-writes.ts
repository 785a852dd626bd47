/** Bytes, roughly, that are held before they are written: so many take a few milliseconds. */
const MOST = 2 ** 20;
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
  #records = new Map<string, GatheredWrite>();
  #size = 0;
  /** those that are being written */
  #leaving: ReadonlyMap<string, GatheredWrite> = new Map();
  #written: Promise<void> = Promise.resolve();

  /** @param options.write writes all or nothing */
  constructor(options: { write: (records: Iterable<GatheredWrite>) => Promise<void> }) {
    this.#write = options.write;
  }

  get isFull(): boolean {
    return this.#size > MOST;
  }

  add(key: Uint8Array, stored: Uint8Array | undefined): void {
    this.#records.set(nameOf(key), { key, stored });
    this.#size += OVERHEAD + key.length + (stored?.length ?? 0);
  }

  /** @returns `undefined` where nothing is known of the key */
  find(key: Uint8Array): GatheredWrite | undefined {
    const name = nameOf(key);
    return this.#records.get(name) ?? this.#leaving.get(name);
  }

  /** Writes what there is. */
  flush(): Promise<void> {
    this.#written = this.#written.then(async () => {
      if (this.#records.size === 0) return;
      this.#leaving = this.#records;
      this.#records = new Map();
      this.#size = 0;
      await this.#write(this.#leaving.values());
      this.#leaving = new Map();
    });
    return this.#written;
  }
}

const nameOf = (key: Uint8Array) => Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1');
