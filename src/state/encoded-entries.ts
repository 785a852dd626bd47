import type { Unstored } from './node-cache.ts';

/** First bytes of keys in the store, see `src/chain/store/keys.ts`. */
export const NODE_KEY = 0x73;
export const CODE_KEY = 0x63;
export const PREIMAGE_KEY = 0x69;

/** Length of the key (1 byte) and of the value (4 bytes, big-endian). Key and value follow. */
export const ENTRY_HEAD = 5;
/** Number of bytes after a value, for its checksum in the store. */
export const ENTRY_TAIL = 4;
/** Length of a key in bytes: its first byte and a hash. */
const KEY_BYTES = 33;

/**
 * Nodes, code and preimages in one array, in the store's entry format, so that a block's changes can be copied as a
 * whole. The core writes them in this format, see `src/core/trie/unstored.ts`.
 */
export class EncodedEntries {
  readonly bytes: Uint8Array;
  #view: DataView | undefined;
  #count: number | undefined;
  /** hash table of the offsets of entries, plus 1; 0 = free */
  #slots: Int32Array | undefined;

  /** @param count number of entries, if known */
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

  /** The entries, separated by kind. */
  get parts(): Unstored {
    return {
      nodes: new OneKind(this, NODE_KEY),
      code: new OneKind(this, CODE_KEY),
      preimages: new OneKind(this, PREIMAGE_KEY),
      encoded: this,
    };
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

  /**
   * The value of a key. Makes an index at the first call, which takes a twentieth of the time and memory that a `Map` of all entries takes.
   * @param kind first byte of the key
   * @param hash the other 32 bytes
   */
  find(kind: number, hash: Uint8Array): Uint8Array | undefined {
    this.#slots ??= this.#index();
    const { bytes } = this;
    const mask = this.#slots.length - 1;
    for (let slot = wordOf(hash, 0) & mask; ; slot = (slot + 1) & mask) {
      const at: number = this.#slots[slot]! - 1;
      if (at < 0) return undefined;
      const key = at + ENTRY_HEAD;
      const value = key + KEY_BYTES;
      if (bytes[key] === kind && Buffer.compare(hash, bytes.subarray(key + 1, value)) === 0)
        return bytes.subarray(value, this.#endOf(at) - ENTRY_TAIL);
    }
  }

  /** At most half of the slots are taken. */
  #index(): Int32Array {
    const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * this.count + 1)));
    for (let at = 0; at < this.bytes.length; at = this.#endOf(at)) {
      let slot = wordOf(this.bytes, at + ENTRY_HEAD + 1) & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = at + 1;
    }
    return slots;
  }

  #endOf(at: number): number {
    const { buffer, byteOffset, length } = this.bytes;
    this.#view ??= new DataView(buffer, byteOffset, length);
    return at + ENTRY_HEAD + KEY_BYTES + this.#view.getUint32(at + 1) + ENTRY_TAIL;
  }
}

/** The first bytes of a hash as an integer. */
function wordOf(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

/** The entries of one kind, by hash. */
class OneKind implements Iterable<readonly [hash: Uint8Array, value: Uint8Array]> {
  readonly #entries: EncodedEntries;
  readonly #first: number;

  /** @param first first byte of their keys */
  constructor(entries: EncodedEntries, first: number) {
    this.#entries = entries;
    this.#first = first;
  }

  *[Symbol.iterator](): Iterator<readonly [hash: Uint8Array, value: Uint8Array]> {
    for (const [key, value] of this.#entries) if (key[0] === this.#first) yield [key.subarray(1), value];
  }
}
