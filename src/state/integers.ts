const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const LOW_64 = 2n ** 64n - 1n;
const NOTHING = new Uint8Array(0);

/**
 * An unsigned integer as RLP encodes it: big-endian, without leading zeros; empty for zero. @ethereumjs/util converts
 * via hex text, which takes ten times as long.
 */
export function integerBytes(value: bigint): Uint8Array {
  if (value <= MAX_SAFE) return smallBytes(Number(value));
  const word = integerWord(value, value >> 256n === 0n ? 32 : byteLength(value));
  let start = 0;
  while (word[start] === 0) start++;
  return word.slice(start);
}

/** An unsigned integer as `length` big-endian bytes; default: 32, an EVM word. @throws RangeError when it doesn't fit */
export function integerWord(value: bigint, length = 32): Uint8Array {
  const word = new Uint8Array(length);
  const view = new DataView(word.buffer);
  let rest = value;
  let at = length - 8;
  for (; at >= 0 && rest > 0n; at -= 8, rest >>= 64n) view.setBigUint64(at, rest & LOW_64);
  for (at += 7; at >= 0 && rest > 0n; at--, rest >>= 8n) word[at] = Number(rest & 255n);
  if (rest !== 0n) throw new RangeError(`${value} does not fit into ${length} bytes`);
  return word;
}

/** The unsigned integer that the big-endian bytes encode. */
export function integerOf(bytes: Uint8Array): bigint {
  const { length } = bytes;
  if (length <= 6) {
    let value = 0;
    for (let i = 0; i < length; i++) value = value * 256 + bytes[i]!;
    return BigInt(value);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  let value = 0n;
  let at = 0;
  for (; at + 8 <= length; at += 8) value = (value << 64n) | view.getBigUint64(at);
  for (; at < length; at++) value = (value << 8n) | BigInt(bytes[at]!);
  return value;
}

function smallBytes(value: number): Uint8Array {
  if (value === 0) return NOTHING;
  let length = 0;
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) length++;
  const bytes = new Uint8Array(length);
  for (let at = length - 1, rest = value; at >= 0; at--, rest = Math.floor(rest / 256))
    bytes[at] = rest & 255;
  return bytes;
}

function byteLength(value: bigint): number {
  return Math.ceil(value.toString(16).length / 2);
}
