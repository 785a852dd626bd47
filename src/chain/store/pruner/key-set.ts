const SHARDS = 256;
/** 32-bit words of a key that are compared: 128 bits of what is a Keccak hash in nearly all of them. */
const WORDS = 4;
const FIRST_SLOTS = 16;

interface Shard {
  /** slots of {@link WORDS} words each, a power of two of them; all zero = free */
  words: Uint32Array;
  size: number;
}

/**
 * The keys of the database that a pruning pass has met, in 22 to 43 bytes each. A `Set` of strings takes 76 bytes on
 * the heap, and throws past 2^24 of them.
 *
 * Keys that aren't hashes may be taken for one another when they agree in their first 17 bytes, their length and their
 * first byte.
 */
export class KeySet {
  /** By the last byte, so that a table that grows is a small one: nobody waits for it. */
  readonly #shards: Shard[] = Array.from({ length: SHARDS }, () => ({
    words: new Uint32Array(FIRST_SLOTS * WORDS),
    size: 0,
  }));
  /** the key that is looked for */
  readonly #wanted = new Uint32Array(WORDS);

  /** @returns false when it was there */
  add(key: Uint8Array): boolean {
    const shard = this.#shardOf(key);
    const at = slotOf(shard.words, this.#wanted, 0);
    if (isTaken(shard.words, at)) return false;
    shard.words.set(this.#wanted, at);
    shard.size++;
    if (shard.size * WORDS * 4 > shard.words.length * 3) shard.words = grown(shard.words);
    return true;
  }

  has(key: Uint8Array): boolean {
    const { words } = this.#shardOf(key);
    return isTaken(words, slotOf(words, this.#wanted, 0));
  }

  /** Puts the key into {@link KeySet.#wanted}. */
  #shardOf(key: Uint8Array): Shard {
    const wanted = this.#wanted;
    for (let word = 0; word < WORDS; word++) {
      const at = 1 + word * 4;
      wanted[word] =
        ((key[at] ?? 0) << 24) | ((key[at + 1] ?? 0) << 16) | ((key[at + 2] ?? 0) << 8) | (key[at + 3] ?? 0);
    }
    // The kinds of record that a block has differ in the first byte only.
    wanted[WORDS - 1]! ^= (key[0]! << 24) | key.length;
    return this.#shards[key[key.length - 1]!]!;
  }
}

/** Where the key at `from` stands, or the free slot that it would take: an offset in `words`. */
function slotOf(words: Uint32Array, key: Uint32Array, from: number): number {
  const mask = words.length / WORDS - 1;
  const mixed = key[from]! ^ key[from + 1]! ^ key[from + 2]! ^ key[from + 3]!;
  // Numbers follow one another; hashes don't mind.
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
