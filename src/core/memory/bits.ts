// Shifts (EIP-145), single bytes, leading zeros (EIP-7939).
import { atMost } from './arithmetic.ts';
import { SCRATCH_3 } from './layout.ts';
import { isNegative, setLimbs, setWord, upper } from './words.ts';

export function shiftLeft(to: usize, by: usize, value: usize): void {
  const n = atMost(by, 256);
  if (n == 256) {
    setWord(to, 0);
    return;
  }
  let a = load<u64>(value), b = load<u64>(value, 8), c = load<u64>(value, 16), d = load<u64>(value, 24);
  const limbs = n >> 6, bits = n & 63;
  if (limbs & 2) {
    d = b;
    c = a;
    b = 0;
    a = 0;
  }
  if (limbs & 1) {
    d = c;
    c = b;
    b = a;
    a = 0;
  }
  if (bits) {
    const rest = 64 - bits;
    d = (d << bits) | (c >> rest);
    c = (c << bits) | (b >> rest);
    b = (b << bits) | (a >> rest);
    a <<= bits;
  }
  setLimbs(to, a, b, c, d);
}

export function shiftRight(to: usize, by: usize, value: usize): void {
  const n = atMost(by, 256);
  if (n == 256) {
    setWord(to, 0);
    return;
  }
  let a = load<u64>(value), b = load<u64>(value, 8), c = load<u64>(value, 16), d = load<u64>(value, 24);
  const limbs = n >> 6, bits = n & 63;
  if (limbs & 2) {
    a = c;
    b = d;
    c = 0;
    d = 0;
  }
  if (limbs & 1) {
    a = b;
    b = c;
    c = d;
    d = 0;
  }
  if (bits) {
    const rest = 64 - bits;
    a = (a >> bits) | (b << rest);
    b = (b >> bits) | (c << rest);
    c = (c >> bits) | (d << rest);
    d >>= bits;
  }
  setLimbs(to, a, b, c, d);
}

export function shiftRightSigned(to: usize, by: usize, value: usize): void {
  if (!isNegative(value)) {
    shiftRight(to, by, value);
    return;
  }
  // The complement shifts zeros in; its complement has ones there.
  complement(SCRATCH_3, value);
  shiftRight(to, by, SCRATCH_3);
  complement(to, to);
}

export function complement(to: usize, a: usize): void {
  v128.store(to, v128.not(v128.load(a)));
  v128.store(to, v128.not(v128.load(a, 16)), 16);
}

/** Byte `index` of a word, counted from its big end. */
export function byteAt(to: usize, index: usize, value: usize): void {
  const outside = upper(index) != 0 || load<u64>(index) > 31;
  setWord(to, outside ? 0 : <u64>load<u8>(value + 31 - <usize>load<u64>(index)));
}

export function leadingZeros(to: usize, value: usize): void {
  let zeros: u64 = 0;
  for (let i: usize = 32; i > 0; i -= 8) {
    const limb = load<u64>(value + i - 8);
    zeros += clz(limb);
    if (limb) break;
  }
  setWord(to, zeros);
}
