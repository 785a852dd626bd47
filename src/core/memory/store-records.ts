// Records for the store, in the format of src/state/encoded-entries.ts: length of the key (1 byte), length of the value (4, big-endian),
// key (1 byte for its kind, and a hash), value, 4 zero bytes.
import { extend } from './heap.ts';
import { copyWord } from './words.ts';

const KEY_LENGTH: u32 = 33;
const LENGTH: usize = 1;
const KEY: usize = 5;
const VALUE: usize = 38;
const TAIL: u32 = 4;

/**
 * Appends a record to a buffer.
 * @param kind the first byte of its key
 * @param hash the rest of its key
 * @param from address of the value, which is copied; 0: the caller writes the value
 * @param n length of the value in bytes
 * @returns the address of the value in the buffer
 */
export function writeRecord(buffer: usize, kind: u32, hash: usize, from: usize, n: u32): usize {
  const at = extend(buffer, <u32>VALUE + n + TAIL), value = at + VALUE;
  store<u8>(at, KEY_LENGTH);
  store<u32>(at, bswap<u32>(n), LENGTH);
  store<u8>(at, kind, KEY);
  copyWord(at + KEY + 1, hash);
  if (from) memory.copy(value, from, n);
  store<u32>(value + n, 0);
  return value;
}
