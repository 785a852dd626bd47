const SHARDS = 256;
/** Number of 32-bit words of a key that are compared: 128 bits, which in nearly all keys are part of a Keccak hash. */
const WORDS = 4;
const FIRST_SLOTS = 16;

interface Shard {
  /** slots of {@link WORDS} words each; the number of slots is a power of two; a slot of zeros is free */
  words: Uint32Array;
  size: number;
}

/**
 * A set of database keys for a pruning pass, at 22 to 43 bytes per key. A `Set` of strings would take 76 bytes per key on the
 * heap, and throw beyond 2^24 keys.
 *
 * Two keys are taken for the same if their first 17 bytes, their last byte and their lengths are equal. That doesn't happen with keys
 * that contain hashes.
 */
export class KeySet {
  /** One hash table per last byte of the key. Each table is small, so growing one doesn't block other work. */
  readonly #shards: Shard[] = Array.from({ length: SHARDS }, () => ({
    words: new Uint32Array(FIRST_SLOTS * WORDS),
    size: 0,
  }));
  /** the compared words of the key that is being looked up */
  readonly #wanted = new Uint32Array(WORDS);

  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @returns false if the set already contained the key */
  add(key: Uint8Array): boolean {
    const shard = this.#shardOf(key);
    const at = slotOf(shard.words, this.#wanted, 0);
    if (isTaken(shard.words, at)) return false;
    shard.words.set(this.#wanted, at);
    shard.size++;
    this.#size++;
    if (shard.size * WORDS * 4 > shard.words.length * 3) shard.words = grown(shard.words);
    return true;
  }

  has(key: Uint8Array): boolean {
    const { words } = this.#shardOf(key);
    return isTaken(words, slotOf(words, this.#wanted, 0));
  }

  /** Returns the key's shard, and puts the compared part of the key into {@link KeySet.#wanted}. */
  #shardOf(key: Uint8Array): Shard {
    const wanted = this.#wanted;
    for (let word = 0; word < WORDS; word++) {
      const at = 1 + word * 4;
      wanted[word] =
        ((key[at] ?? 0) << 24) | ((key[at + 1] ?? 0) << 16) | ((key[at + 2] ?? 0) << 8) | (key[at + 3] ?? 0);
    }
    // The keys of a block's records of different kinds differ only in their first byte.
    wanted[WORDS - 1]! ^= (key[0]! << 24) | key.length;
    return this.#shards[key[key.length - 1]!]!;
  }
}

/**
 * The offset in `words` of the key's slot, or of the free slot for it. The key is read from `key`, at offset `from`.
 */
function slotOf(words: Uint32Array, key: Uint32Array, from: number): number {
  const mask = words.length / WORDS - 1;
  const mixed = key[from]! ^ key[from + 1]! ^ key[from + 2]! ^ key[from + 3]!;
  // The multiplication spreads keys with consecutive numbers; hashes wouldn't need it.
  for (let slot = Math.imul(mixed, 0x9e3779b1) >>> 8; ; slot++) {
    const at = (slot & mask) * WORDS;
    if (!isTaken(words, at)) return at;
    let word = 0;
    while (word < WORDS && words[at + word] === key[from + word]) word++;
    if (word === WORDS) return at;
  }
}

function isTaken(words: Uint32Array, at: number): boolean {
  return (words[at]! | words[at + 1]! | words[at + 2]! | words[at + 3]!) !== 0;
}

function grown(words: Uint32Array): Uint32Array {
  const larger = new Uint32Array(words.length * 2);
  for (let at = 0; at < words.length; at += WORDS)
    if (isTaken(words, at)) larger.set(words.subarray(at, at + WORDS), slotOf(larger, words, at));
  return larger;
}
