// Writes JSON to memory, where the caller has made room for it. Texts are ASCII.
import { byteLength } from '../memory/arithmetic.ts';
import { SCRATCH } from '../memory/layout.ts';
import { reverse } from '../memory/words.ts';

/** address of the next byte */
export let end: usize = 0;

/** Starts writing at an address. */
export function startJson(at: usize): void {
  end = at;
}

/** Writes a text unchanged. Up to 7 bytes after it are overwritten. */
export function writeText(text: string): void {
  const from = changetype<usize>(text), n = text.length;
  for (let i = 0; i < n; i += 8) {
    const characters = v128.load(from + (i << 1));
    store<u64>(end + i, i64x2.extract_lane(v128.narrow<u16>(characters, characters), 0));
  }
  end += n;
}

/** Writes n bytes unchanged. */
export function writeBytes(from: usize, n: u32): void {
  memory.copy(end, from, n);
  end += n;
}

/* @inline */ function digit(value: u32): u32 {
  return value + (value < 10 ? 0x30 : 0x57);
}

/** Writes n bytes as hexadecimal digits. */
export function writeDigits(from: usize, n: u32): void {
  const table = i8x16(
    0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66,
  );
  let i: u32 = 0;
  for (; i + 16 <= n; i += 16) {
    const bytes = v128.load(from + i);
    const high = v128.swizzle(table, v128.shr<u8>(bytes, 4));
    const low = v128.swizzle(table, v128.and(bytes, i8x16.splat(15)));
    v128.store(end, v128.shuffle<u8>(high, low, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
    v128.store(end, v128.shuffle<u8>(high, low, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31), 16);
    end += 32;
  }
  for (; i < n; i++) {
    const byte: u32 = load<u8>(from + i);
    store<u8>(end, digit(byte >> 4));
    store<u8>(end, digit(byte & 15), 1);
    end += 2;
  }
}

/** Writes n bytes as a string: `"0x…"`. */
export function writeHex(from: usize, n: u32): void {
  writeText('"0x');
  writeDigits(from, n);
  store<u8>(end++, 0x22);
}

/** Writes an integer as a string without leading zeros: `"0x0"` for 0. */
export function writeQuantity(value: u64): void {
  writeText('"0x');
  writeNumber(value);
  store<u8>(end++, 0x22);
}

function writeNumber(value: u64): void {
  for (let shift = <i64>(63 - clz(value | 1)) & ~3; shift >= 0; shift -= 4) {
    store<u8>(end++, digit(<u32>(value >> shift) & 15));
  }
}

/** Writes a word as a string without leading zeros. */
export function writeWordQuantity(word: usize): void {
  let i = byteLength(word) - 1;
  writeText('"0x');
  writeNumber(i < 0 ? 0 : load<u8>(word + i));
  for (i--; i >= 0; i--) writeDigits(word + i, 1);
  store<u8>(end++, 0x22);
}

/** Writes a big-endian integer of n bytes as a string without leading zeros. */
export function writeIntegerBytes(from: usize, n: u32): void {
  let i: u32 = 0;
  while (i < n && load<u8>(from + i) == 0) i++;
  writeText('"0x');
  writeNumber(i < n ? load<u8>(from + i) : 0);
  if (i + 1 < n) writeDigits(from + i + 1, n - i - 1);
  store<u8>(end++, 0x22);
}

/** Writes an address that is stored as a word. */
export function writeAddressWord(word: usize): void {
  reverse(SCRATCH, word);
  writeHex(SCRATCH + 12, 20);
}
