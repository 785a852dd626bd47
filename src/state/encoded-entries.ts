import type { Unstored } from './node-cache.ts';

/** First bytes of keys in the store: see `keys.ts` there. */
export const NODE_KEY = 0x73;
export const CODE_KEY = 0x63;
export const PREIMAGE_KEY = 0x69;

/** Length of the key (1 byte) and of the value (4 bytes, big-endian). Key and value follow. */
export const ENTRY_HEAD = 5;
/** Bytes behind a value, for its checksum in the store. */
export const ENTRY_TAIL = 4;
/** The key's first byte, and a hash. */
const KEY_BYTES = 33;
/** Bytes of the first buffer of a writer: the nodes of one account. */
const FIRST_BYTES = 4_096;

type Kind = typeof NODE_KEY | typeof CODE_KEY | typeof PREIMAGE_KEY;

/** Lays out entries one behind the other. */
export class EntriesWriter {
  #bytes = new Uint8Array(FIRST_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #end = 0;
  #count = 0;

  /** @param hash 32 bytes */
  add(kind: Kind, hash: Uint8Array, value: Uint8Array): void {
    const at = this.#end;
    const valueAt = at + ENTRY_HEAD + KEY_BYTES;
    this.#end = valueAt + value.length + ENTRY_TAIL;
    if (this.#end > this.#bytes.length) this.#grow();
    this.#bytes[at] = KEY_BYTES;
    this.#view.setUint32(at + 1, value.length);
    this.#bytes[at + ENTRY_HEAD] = kind;
    this.#bytes.set(hash, at + ENTRY_HEAD + 1);
    this.#bytes.set(value, valueAt);
    this.#count++;
  }

  /** @param others all of another state's entries */
  addAll(others: EncodedEntries): void {
    const at = this.#end;
    this.#end += others.bytes.length;
    if (this.#end > this.#bytes.length) this.#grow();
    this.#bytes.set(others.bytes, at);
    this.#count += others.count;
  }

  /** All entries. Nothing may be added afterwards. */
  get entries(): EncodedEntries {
    return new EncodedEntries(this.#bytes.subarray(0, this.#end), this.#count);
  }

  #grow(): void {
    const larger = new Uint8Array(Math.max(this.#end, 2 * this.#bytes.length));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/**
 * Nodes, code and preimages in one array, laid out as the store writes entries, so that a block's changes are copied as a whole.
 * {@link EntriesWriter} makes it, and the executor's core: see src/core/trie/unstored.ts.
 */
export class EncodedEntries {
  readonly bytes: Uint8Array;
  #view: DataView | undefined;
  #count: number | undefined;

  /** @param count number of entries, where it is known */
  constructor(bytes: Uint8Array, count?: number) {
    this.bytes = bytes;
    this.#count = count;
  }

  /** number of entries */
  get count(): number {
    if (this.#count === undefined) {
      this.#count = 0;
      for (let at = 0; at < this.bytes.length; at = this.#endOf(at)) this.#count++;
    }
    return this.#count;
  }

  /** The entries by their kinds. */
  get parts(): Unstored {
    const part = (first: number) => ({ [Symbol.iterator]: () => this.#of(first) });
    return { nodes: part(NODE_KEY), code: part(CODE_KEY), preimages: part(PREIMAGE_KEY), encoded: this };
  }

  /** Keys and values as they are stored. */
  *[Symbol.iterator](): Iterator<readonly [key: Uint8Array, value: Uint8Array]> {
    const { bytes } = this;
    for (let at = 0, end = 0; at < bytes.length; at = end) {
      end = this.#endOf(at);
      const value = at + ENTRY_HEAD + KEY_BYTES;
      yield [bytes.subarray(at + ENTRY_HEAD, value), bytes.subarray(value, end - ENTRY_TAIL)];
    }
  }

  *#of(first: number): Iterator<readonly [hash: Uint8Array, value: Uint8Array]> {
    for (const [key, value] of this) if (key[0] === first) yield [key.subarray(1), value];
  }

  #endOf(at: number): number {
    const { buffer, byteOffset, length } = this.bytes;
    this.#view ??= new DataView(buffer, byteOffset, length);
    return at + ENTRY_HEAD + KEY_BYTES + this.#view.getUint32(at + 1) + ENTRY_TAIL;
  }
}
