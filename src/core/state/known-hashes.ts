// A cache of Keccak hashes of 32 and 64 bytes: topics, and keys of mappings. Calls of one contract need the same ones again and again, and
// a lookup takes a twentieth of the time of hashing.
import { allocate } from '../memory/heap.ts';
import { keccak } from '../memory/keccak.ts';
import { copyWord, equal } from '../memory/words.ts';

/** entries of 128 bytes: the input, its hash, the length of the input */
const COUNT_BITS: u32 = 8;
const SIZE_BITS: u32 = 7;
const HASH: usize = 64;
const LENGTH: usize = 96;
const GOLDEN_RATIO: u64 = 0x9e3779b97f4a7c15;

let table: usize = 0;

export function setupKnownHashes(): void {
  table = allocate(1 << (COUNT_BITS + SIZE_BITS));
}

/** @returns the address of the hash of 32 or 64 bytes, valid until the next call */
export function knownHash(from: usize, n: u32): usize {
  let mixed = load<u64>(from, 24) * GOLDEN_RATIO;
  if (n == 64) mixed = (mixed ^ (mixed >> 32) ^ load<u64>(from, 56)) * GOLDEN_RATIO;
  const entry = table + ((<usize>(mixed >> (64 - COUNT_BITS))) << SIZE_BITS);
  if (load<u32>(entry, LENGTH) != n || !equal(entry, from) || (n == 64 && !equal(entry + 32, from + 32))) {
    keccak(entry + HASH, from, n);
    copyWord(entry, from);
    if (n == 64) copyWord(entry + 32, from + 32);
    store<u32>(entry, n, LENGTH);
  }
  return entry + HASH;
}
