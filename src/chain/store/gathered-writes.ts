import { nameOf } from './keys.ts';

/**
 * Approximate bytes gathered before they are written. Writing this much takes a few milliseconds, which blocks other
 * work.
 */
const MOST = 2 ** 18;
/** Approximate overhead of a record in bytes. */
const OVERHEAD = 200;

/** A record to be written, or to be deleted when it has no value. */
export interface GatheredWrite {
  readonly key: Uint8Array;
  readonly stored: Uint8Array | undefined;
}

/** Records that have not been written yet. Reads must look here first. */
export class GatheredWrites {
  readonly #write: (records: Iterable<GatheredWrite>) => Promise<void>;
  #held = new Records();
  /** the records that are being written */
  #leaving = new Records();
  #written: Promise<void> = Promise.resolve();

  /** @param options.write writes all or nothing; the last record of a key counts */
  constructor(options: { write: (records: Iterable<GatheredWrite>) => Promise<void> }) {
    this.#write = options.write;
  }

  get isFull(): boolean {
    return this.#held.size > MOST;
  }

  add(key: Uint8Array, stored: Uint8Array | undefined): void {
    this.#held.add({ key, stored });
  }

  /** @returns `undefined` when no write of the key is gathered */
  find(key: Uint8Array): GatheredWrite | undefined {
    if (this.#held.size === 0 && this.#leaving.size === 0) return undefined;
    const name = nameOf(key);
    return this.#held.find(name) ?? this.#leaving.find(name);
  }

  /**
   * Writes all gathered records.
   * @throws the error of this write, or of one that {@link spill} began
   */
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

  /** Resolves when the write under way has ended, successfully or not. */
  async written(): Promise<void> {
    await this.#written.catch(() => {});
  }

  /**
   * Waits for the previous write, then begins to write the gathered records without waiting for that.
   * @throws the error of the previous write
   */
  async spill(): Promise<void> {
    await this.#written;
    // The next write reports a failure.
    this.flush().catch(() => {});
  }
}

class Records {
  readonly list: GatheredWrite[] = [];
  /** approximate size in bytes */
  size = 0;
  readonly #byName = new Map<string, GatheredWrite>();
  #named = 0;

  add(record: GatheredWrite): void {
    this.list.push(record);
    this.size += OVERHEAD + record.key.length + (record.stored?.length ?? 0);
  }

  /**
   * Map keys are made only when needed: that takes as long as everything else, and thousands of empty blocks are
   * written without a read in between.
   */
  find(name: string): GatheredWrite | undefined {
    for (; this.#named < this.list.length; this.#named++) {
      const record = this.list[this.#named]!;
      this.#byName.set(nameOf(record.key), record);
    }
    return this.#byName.get(name);
  }
}
