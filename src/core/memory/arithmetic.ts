// Multiplication, division, remainders, powers. Yellow paper, appendix H: dividing by 0 gives 0.
import { DIVIDEND, DIVISOR, NEGATED, OPERAND, OPERAND_2, QUOTIENT } from './layout.ts';
import { add, copyWord, isNegative, less, negate, setLimbs, setWord, subtract, upper } from './words.ts';

/** The upper 64 bits of the product of two limbs. */
/* @inline */ function upperProduct(a: u64, b: u64): u64 {
  const aLow = a & 0xffffffff, aHigh = a >> 32, bLow = b & 0xffffffff, bHigh = b >> 32;
  const low = aLow * bLow, cross1 = aLow * bHigh, cross2 = aHigh * bLow;
  const middle = (low >> 32) + (cross1 & 0xffffffff) + (cross2 & 0xffffffff);
  return aHigh * bHigh + (cross1 >> 32) + (cross2 >> 32) + (middle >> 32);
}

export function multiply(to: usize, a: usize, b: usize): void {
  const a0 = load<u64>(a), b0 = load<u64>(b);
  if ((upper(a) | upper(b)) == 0) {
    setLimbs(to, a0 * b0, upperProduct(a0, b0), 0, 0);
    return;
  }
  const a1 = load<u64>(a, 8), a2 = load<u64>(a, 16), a3 = load<u64>(a, 24);
  const b1 = load<u64>(b, 8), b2 = load<u64>(b, 16), b3 = load<u64>(b, 24);
  const r0 = a0 * b0;
  let r1 = upperProduct(a0, b0);
  let p = a0 * b1;
  r1 += p;
  let r2 = upperProduct(a0, b1) + u64(r1 < p);
  p = a1 * b0;
  r1 += p;
  p = upperProduct(a1, b0) + u64(r1 < p);
  r2 += p;
  let r3 = u64(r2 < p);
  p = a0 * b2;
  r2 += p;
  r3 += u64(r2 < p) + upperProduct(a0, b2);
  p = a1 * b1;
  r2 += p;
  r3 += u64(r2 < p) + upperProduct(a1, b1);
  p = a2 * b0;
  r2 += p;
  r3 += u64(r2 < p) + upperProduct(a2, b0);
  r3 += a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0;
  setLimbs(to, r0, r1, r2, r3);
}

/** Multiplies a word by a 64-bit number. @returns true when the product exceeds 256 bits */
export function multiplyBy(to: usize, a: usize, n: u64): bool {
  let carry: u64 = 0;
  for (let i: usize = 0; i < 32; i += 8) {
    const limb = load<u64>(a + i), low = limb * n + carry;
    carry = upperProduct(limb, n) + u64(low < carry);
    store<u64>(to + i, low);
  }
  return carry != 0;
}

// Long division works on half limbs of 32 bits.

/* @inline */ function half(p: usize, i: i32): u64 {
  return load<u32>(p + (<usize>i << 2));
}

/* @inline */ function setHalf(p: usize, i: i32, value: u64): void {
  store<u32>(p + (<usize>i << 2), <u32>value);
}

/** The number of half limbs without leading zero ones. */
function halves(p: usize, n: i32): i32 {
  while (n > 0 && half(p, n - 1) == 0) n--;
  return n;
}

function shiftLeft(p: usize, n: i32, by: u64): void {
  for (let i = n - 1; i > 0; i--) setHalf(p, i, (half(p, i) << by) | (half(p, i - 1) >> (32 - by)));
  setHalf(p, 0, half(p, 0) << by);
}

/** Divides m half limbs by a 32-bit number, and writes the quotient to QUOTIENT. @returns the remainder */
function divideByHalf(a: usize, m: i32, divisor: u64): u64 {
  let rest: u64 = 0;
  for (let i = m - 1; i >= 0; i--) {
    const part = (rest << 32) | half(a, i), q = part / divisor;
    setHalf(QUOTIENT, i, q);
    rest = part - q * divisor;
  }
  return rest;
}

/**
 * Divides the m half limbs at DIVIDEND by the n half limbs at DIVISOR, m >= n > 1 (Knuth, The Art of Computer Programming 2, 4.3.1,
 * algorithm D). Leaves the remainder at DIVIDEND, and writes the quotient to QUOTIENT, which must be 0.
 */
function longDivide(m: i32, n: i32): void {
  const shift = <u64>clz<u32>(<u32>half(DIVISOR, n - 1));
  setHalf(DIVIDEND, m, shift ? half(DIVIDEND, m - 1) >> (32 - shift) : 0);
  if (shift) {
    shiftLeft(DIVISOR, n, shift);
    shiftLeft(DIVIDEND, m, shift);
  }
  const first = half(DIVISOR, n - 1), second = half(DIVISOR, n - 2);
  for (let j = m - n; j >= 0; j--) {
    const top = (half(DIVIDEND, j + n) << 32) | half(DIVIDEND, j + n - 1);
    let q = top / first, rest = top - q * first;
    while (q >> 32 || q * second > ((rest << 32) | half(DIVIDEND, j + n - 2))) {
      q--;
      rest += first;
      if (rest >> 32) break;
    }
    let borrow: i64 = 0, carry: u64 = 0;
    for (let i = 0; i < n; i++) {
      const product = q * half(DIVISOR, i) + carry;
      carry = product >> 32;
      const t = <i64>half(DIVIDEND, i + j) - <i64>(product & 0xffffffff) + borrow;
      setHalf(DIVIDEND, i + j, t);
      borrow = t >> 32;
    }
    const t = <i64>half(DIVIDEND, j + n) - <i64>carry + borrow;
    setHalf(DIVIDEND, j + n, t);
    if (t < 0) {
      q--;
      carry = 0;
      for (let i = 0; i < n; i++) {
        const sum = half(DIVIDEND, i + j) + half(DIVISOR, i) + carry;
        setHalf(DIVIDEND, i + j, sum);
        carry = sum >> 32;
      }
      setHalf(DIVIDEND, j + n, half(DIVIDEND, j + n) + carry);
    }
    setHalf(QUOTIENT, j, q);
  }
  if (!shift) return;
  for (let i = 0; i < n - 1; i++) {
    setHalf(DIVIDEND, i, (half(DIVIDEND, i) >> shift) | (half(DIVIDEND, i + 1) << (32 - shift)));
  }
  setHalf(DIVIDEND, n - 1, half(DIVIDEND, n - 1) >> shift);
}

export function divide(to: usize, a: usize, b: usize): void {
  if ((upper(a) | upper(b)) == 0) {
    const divisor = load<u64>(b);
    setWord(to, divisor ? load<u64>(a) / divisor : 0);
    return;
  }
  const m = halves(a, 8), n = halves(b, 8);
  if (n == 0 || m < n) {
    setWord(to, 0);
    return;
  }
  setWord(QUOTIENT, 0);
  if (n == 1) divideByHalf(a, m, half(b, 0));
  else {
    copyWord(DIVIDEND, a);
    copyWord(DIVISOR, b);
    longDivide(m, n);
  }
  copyWord(to, QUOTIENT);
}

export function remainder(to: usize, a: usize, b: usize): void {
  if ((upper(a) | upper(b)) == 0) {
    const divisor = load<u64>(b);
    setWord(to, divisor ? load<u64>(a) % divisor : 0);
    return;
  }
  copyWord(DIVIDEND, a);
  reduce(to, halves(a, 8), b);
}

/** Computes the m half limbs at DIVIDEND modulo a word. */
function reduce(to: usize, m: i32, modulus: usize): void {
  const n = halves(modulus, 8);
  if (n == 0) {
    setWord(to, 0);
    return;
  }
  if (n == 1) {
    setWord(to, divideByHalf(DIVIDEND, m, half(modulus, 0)));
    return;
  }
  if (m >= n) {
    copyWord(DIVISOR, modulus);
    longDivide(m, n);
  }
  copyWord(to, DIVIDEND);
}

export function divideSigned(to: usize, a: usize, b: usize): void {
  const negative = isNegative(a) != isNegative(b);
  divide(to, magnitude(OPERAND, a), magnitude(OPERAND_2, b));
  if (negative) negate(to, to);
}

export function remainderSigned(to: usize, a: usize, b: usize): void {
  const negative = isNegative(a);
  remainder(to, magnitude(OPERAND, a), magnitude(OPERAND_2, b));
  if (negative) negate(to, to);
}

function magnitude(to: usize, a: usize): usize {
  if (!isNegative(a)) return a;
  negate(to, a);
  return to;
}

export function addModulo(to: usize, a: usize, b: usize, modulus: usize): void {
  const carry = add(DIVIDEND, a, b);
  if (!carry && less(DIVIDEND, modulus)) {
    copyWord(to, DIVIDEND);
    return;
  }
  // The sum of two numbers below the modulus is below twice the modulus.
  if (carry == less(DIVIDEND, modulus)) {
    subtract(QUOTIENT, DIVIDEND, modulus);
    if (less(QUOTIENT, modulus)) {
      copyWord(to, QUOTIENT);
      return;
    }
  }
  store<u64>(DIVIDEND, u64(carry), 32);
  reduce(to, halves(DIVIDEND, 9), modulus);
}

export function multiplyModulo(to: usize, a: usize, b: usize, modulus: usize): void {
  multiplyFully(a, b);
  const low = load<u64>(modulus);
  if (low != 0 && (load<u64>(modulus, 8) & load<u64>(modulus, 16) & load<u64>(modulus, 24)) == u64.MAX_VALUE)
    reduceNearby(to, 0 - low);
  else reduce(to, halves(DIVIDEND, 16), modulus);
}

/** Writes the 512-bit product of two words to DIVIDEND. */
function multiplyFully(a: usize, b: usize): void {
  for (let i: usize = 0; i < 64; i += 16) v128.store(DIVIDEND + i, i64x2.splat(0));
  for (let i: usize = 0; i < 32; i += 8) {
    const factor = load<u64>(a + i), place = DIVIDEND + i;
    if (factor == 0) continue;
    let carry = addProduct(place, factor, load<u64>(b), 0);
    carry = addProduct(place + 8, factor, load<u64>(b, 8), carry);
    carry = addProduct(place + 16, factor, load<u64>(b, 16), carry);
    carry = addProduct(place + 24, factor, load<u64>(b, 24), carry);
    store<u64>(place, carry, 32);
  }
}

/** Adds the product of two limbs, and a carry, to the limb at p. @returns the carry for the next limb */
/* @inline */ function addProduct(p: usize, a: u64, b: u64, carry: u64): u64 {
  const low = a * b, sum = low + carry, total = sum + load<u64>(p);
  store<u64>(p, total);
  return upperProduct(a, b) + u64(sum < low) + u64(total < sum);
}

/**
 * Computes the 512 bits at DIVIDEND modulo 2^256 - c, for 0 < c < 2^64. Contracts mostly use such moduli: 2^256 - 1 to get the upper half
 * of a product, and the prime of secp256k1's field. Modulo 2^256 - c, 2^256 is congruent to c.
 */
function reduceNearby(to: usize, c: u64): void {
  const upperHalf = DIVIDEND + 32;
  let carry = addProduct(DIVIDEND, load<u64>(upperHalf), c, 0);
  carry = addProduct(DIVIDEND + 8, load<u64>(upperHalf, 8), c, carry);
  carry = addProduct(DIVIDEND + 16, load<u64>(upperHalf, 16), c, carry);
  carry = addProduct(DIVIDEND + 24, load<u64>(upperHalf, 24), c, carry);
  setLimbs(OPERAND, carry * c, upperProduct(carry, c), 0, 0);
  setWord(OPERAND_2, c);
  // After an overflow the rest is so small that no second overflow is possible.
  if (add(DIVIDEND, DIVIDEND, OPERAND)) add(DIVIDEND, DIVIDEND, OPERAND_2);
  // If adding c overflows, the value isn't below the modulus, so the modulus is subtracted.
  if (add(QUOTIENT, DIVIDEND, OPERAND_2)) copyWord(to, QUOTIENT);
  else copyWord(to, DIVIDEND);
}

/** The number of bytes of a word without leading zeros. */
export function byteLength(p: usize): i32 {
  for (let i = 3; i >= 0; i--) {
    const limb = load<u64>(p + (<usize>i << 3));
    if (limb) return (i << 3) + 8 - (<i32>clz(limb) >> 3);
  }
  return 0;
}

export function power(to: usize, base: usize, exponent: usize): void {
  const bits = byteLength(exponent) << 3;
  copyWord(OPERAND, base);
  copyWord(OPERAND_2, exponent);
  setWord(NEGATED, 1);
  for (let i = bits - 1; i >= 0; i--) {
    multiply(NEGATED, NEGATED, NEGATED);
    if ((load<u8>(OPERAND_2 + (<usize>i >> 3)) >> (i & 7)) & 1) multiply(NEGATED, NEGATED, OPERAND);
  }
  copyWord(to, NEGATED);
}

/** Sign-extends a number of `size` + 1 bytes. */
export function signExtend(to: usize, size: usize, value: usize): void {
  const last = upper(size) != 0 || load<u64>(size) > 30 ? 31 : load<u64>(size);
  copyWord(to, value);
  const sign: u32 = load<u8>(to + <usize>last) & 0x80 ? 0xff : 0;
  for (let i = <usize>last + 1; i < 32; i++) store<u8>(to + i, sign);
}

/** The minimum of a word and a number. */
export function atMost(p: usize, limit: u64): u64 {
  return upper(p) != 0 || load<u64>(p) > limit ? limit : load<u64>(p);
}

