// Keccak-256. The permutations are in keccak-permutation.ts, which scripts/build/keccak.mjs generates in each build.
import { permute, permutePair } from './keccak-permutation.ts';
import { SPONGE, SPONGES } from './layout.ts';
import { copyWord } from './words.ts';

/** number of bytes that one permutation absorbs */
const RATE: u32 = 136;

/** Hashes n bytes. */
export function keccak(to: usize, from: usize, n: u32): void {
  clear(SPONGE, 208);
  while (n >= RATE) {
    absorb(from);
    permute();
    from += RATE;
    n -= RATE;
  }
  let i: u32 = 0;
  for (; i + 8 <= n; i += 8) store<u64>(SPONGE + i, load<u64>(SPONGE + i) ^ load<u64>(from + i));
  for (; i < n; i++) store<u8>(SPONGE + i, load<u8>(SPONGE + i) ^ load<u8>(from + i));
  store<u8>(SPONGE + n, load<u8>(SPONGE + n) ^ 1);
  store<u8>(SPONGE + RATE - 1, load<u8>(SPONGE + RATE - 1) ^ 0x80);
  permute();
  copyWord(to, SPONGE);
}

/** Pads n bytes in place. @returns the number of blocks */
export function pad(p: usize, n: u32): u32 {
  const blocks = n / RATE + 1, end = blocks * RATE;
  memory.fill(p + n, 0, end - n);
  store<u8>(p + n, 1);
  store<u8>(p + end - 1, load<u8>(p + end - 1) | 0x80);
  return blocks;
}

/** Hashes padded bytes. */
export function keccakPadded(to: usize, from: usize, blocks: u32): void {
  clear(SPONGE, 208);
  for (; blocks > 0; blocks--) {
    absorb(from);
    permute();
    from += RATE;
  }
  copyWord(to, SPONGE);
}

/** Hashes two padded inputs of the same number of blocks, 1.4 times as fast as one after the other. */
export function keccakPaddedPair(to: usize, from: usize, to2: usize, from2: usize, blocks: u32): void {
  clear(SPONGES, 400);
  for (; blocks > 0; blocks--) {
    for (let i: usize = 0; i < RATE; i += 8) {
      const lanes = i64x2.replace_lane(i64x2.splat(load<u64>(from + i)), 1, load<u64>(from2 + i));
      const at = SPONGES + (i << 1);
      v128.store(at, v128.xor(v128.load(at), lanes));
    }
    permutePair();
    from += RATE;
    from2 += RATE;
  }
  for (let i: usize = 0; i < 32; i += 8) {
    store<u64>(to + i, load<u64>(SPONGES + (i << 1)));
    store<u64>(to2 + i, load<u64>(SPONGES + (i << 1) + 8));
  }
}

/** Clears a few bytes: `memory.fill` would take longer, since it leaves WebAssembly. @param n a multiple of 16 */
/* @inline */ function clear(p: usize, n: usize): void {
  for (let i: usize = 0; i < n; i += 16) v128.store(p + i, i64x2.splat(0));
}

/* @inline */ function absorb(from: usize): void {
  for (let i: usize = 0; i < RATE; i += 8) store<u64>(SPONGE + i, load<u64>(SPONGE + i) ^ load<u64>(from + i));
}
