// Words of 256 bits: 32 bytes in little-endian order, accessed as four limbs of 64 bits. Functions take pointers. The destination may be
// one of the operands. An address as a word is the address as a number: the upper 12 bytes are 0.

/* @inline */ export function copyWord(to: usize, from: usize): void {
  const low = v128.load(from), high = v128.load(from, 16);
  v128.store(to, low);
  v128.store(to, high, 16);
}

/* @inline */ export function setLimbs(to: usize, a: u64, b: u64, c: u64, d: u64): void {
  store<u64>(to, a);
  store<u64>(to, b, 8);
  store<u64>(to, c, 16);
  store<u64>(to, d, 24);
}

/* @inline */ export function setWord(to: usize, value: u64): void {
  setLimbs(to, value, 0, 0, 0);
}

/** Copies 32 bytes in reverse order: converts a word to its big-endian bytes, and back. */
/* @inline */ export function reverse(to: usize, from: usize): void {
  const low = v128.load(from), high = v128.load(from, 16);
  v128.store(to, i8x16.shuffle(high, high, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
  v128.store(to, i8x16.shuffle(low, low, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), 16);
}

/* @inline */ export function isZero(p: usize): bool {
  return !v128.any_true(v128.or(v128.load(p), v128.load(p, 16)));
}

/** The three upper limbs, combined: 0 when the word is below 2^64. */
/* @inline */ export function upper(p: usize): u64 {
  return load<u64>(p, 8) | load<u64>(p, 16) | load<u64>(p, 24);
}

/* @inline */ export function isNegative(p: usize): bool {
  return load<i64>(p, 24) < 0;
}

/* @inline */ export function equal(a: usize, b: usize): bool {
  const low = v128.xor(v128.load(a), v128.load(b)), high = v128.xor(v128.load(a, 16), v128.load(b, 16));
  return !v128.any_true(v128.or(low, high));
}

export function less(a: usize, b: usize): bool {
  let x = load<u64>(a, 24), y = load<u64>(b, 24);
  if (x != y) return x < y;
  x = load<u64>(a, 16);
  y = load<u64>(b, 16);
  if (x != y) return x < y;
  x = load<u64>(a, 8);
  y = load<u64>(b, 8);
  if (x != y) return x < y;
  return load<u64>(a) < load<u64>(b);
}

/* @inline */ export function lessSigned(a: usize, b: usize): bool {
  const x = load<i64>(a, 24), y = load<i64>(b, 24);
  return (x ^ y) < 0 ? x < y : less(a, b);
}

/** @returns the carry */
/* @inline */ export function add(to: usize, a: usize, b: usize): bool {
  const a0 = load<u64>(a), r0 = a0 + load<u64>(b);
  let carry = u64(r0 < a0);
  const a1 = load<u64>(a, 8), s1 = a1 + load<u64>(b, 8), r1 = s1 + carry;
  carry = u64(s1 < a1) | u64(r1 < s1);
  const a2 = load<u64>(a, 16), s2 = a2 + load<u64>(b, 16), r2 = s2 + carry;
  carry = u64(s2 < a2) | u64(r2 < s2);
  const a3 = load<u64>(a, 24), s3 = a3 + load<u64>(b, 24), r3 = s3 + carry;
  setLimbs(to, r0, r1, r2, r3);
  return (u64(s3 < a3) | u64(r3 < s3)) != 0;
}

/* @inline */ export function subtract(to: usize, a: usize, b: usize): void {
  const a0 = load<u64>(a), b0 = load<u64>(b), r0 = a0 - b0;
  let borrow = u64(a0 < b0);
  const a1 = load<u64>(a, 8), b1 = load<u64>(b, 8), s1 = a1 - b1, r1 = s1 - borrow;
  borrow = u64(a1 < b1) | u64(s1 < borrow);
  const a2 = load<u64>(a, 16), b2 = load<u64>(b, 16), s2 = a2 - b2, r2 = s2 - borrow;
  borrow = u64(a2 < b2) | u64(s2 < borrow);
  setLimbs(to, r0, r1, r2, load<u64>(a, 24) - load<u64>(b, 24) - borrow);
}

export function negate(to: usize, a: usize): void {
  setLimbs(to, ~load<u64>(a), ~load<u64>(a, 8), ~load<u64>(a, 16), ~load<u64>(a, 24));
  let i: usize = 0;
  for (; i < 32; i += 8) {
    const limb = load<u64>(to + i) + 1;
    store<u64>(to + i, limb);
    if (limb != 0) return;
  }
}
