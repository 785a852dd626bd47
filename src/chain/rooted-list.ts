import { integerBytes } from '../state/integers.ts';
import { keccak256 } from '../state/keccak.ts';
import { encodeRlp, encodeStrings } from '../state/rlp-items.ts';
import { Trie } from '../state/trie.ts';

/** The hex-prefix encoded path of index 0 in a trie with a single leaf (yellow paper, appendix C). */
const ONLY_PATH = Uint8Array.of(0x20, 0x80);

/**
 * The trie of an open block's transactions or receipts, keyed by RLP-encoded index. Immutable. With automine most blocks have one
 * transaction: its root is a single hash, computed without a trie.
 */
export class RootedList {
  static readonly EMPTY = new RootedList(Trie.empty(), 0, undefined);
  readonly length: number;
  /** contains all items; empty while there is only one */
  readonly #trie: Trie;
  readonly #only: Uint8Array | undefined;
  #root: Uint8Array | undefined;

  private constructor(trie: Trie, length: number, only: Uint8Array | undefined) {
    this.#trie = trie;
    this.length = length;
    this.#only = only;
  }

  /** Returns the list with items appended. */
  with(items: readonly Uint8Array[]): RootedList {
    if (items.length === 0) return this;
    const length = this.length + items.length;
    if (length === 1) return new RootedList(this.#trie, 1, items[0]);
    const missing = this.#only ? [this.#only, ...items] : items;
    const first = length - missing.length;
    const entries = missing.map((item, i) => [encodeRlp(integerBytes(BigInt(first + i))), item] as const);
    return new RootedList(this.#trie.update(entries), length, undefined);
  }

  /** 32 bytes */
  get root(): Uint8Array {
    this.#root ??= this.#only ? keccak256(encodeStrings([ONLY_PATH, this.#only])) : this.#trie.root;
    return this.#root;
  }
}
