import { isUtf8 } from 'node:buffer';
import { bytesToBigInt, bytesToHex } from '@ethereumjs/util';
import type { StorageType } from './storage-layout.ts';

/** The value of an `inplace` type, from its bytes: decimal digits, a boolean, the name of an enum's member, otherwise `0x` hex. */
export function placedValue(type: StorageType, bytes: Uint8Array): string | boolean {
  const { names, numberOfBytes } = type;
  const label = type.underlying ?? type.label;
  const number = bytes.length === 0 ? 0n : bytesToBigInt(bytes);
  if (label === 'bool') return number !== 0n;
  if (names) return names[Number(number)] ?? number.toString();
  if (/^uint\d*$/.test(label)) return number.toString();
  if (/^int\d*$/.test(label)) return BigInt.asIntN(8 * Number(numberOfBytes), number).toString();
  return bytesToHex(bytes);
}

/** A string as text if it is valid UTF-8; `bytes` and other strings as `0x` hex. */
export function textOf({ label }: StorageType, bytes: Uint8Array): string {
  return label === 'string' && isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : bytesToHex(bytes);
}

/** The text of a mapping's key. @param key as it was hashed: a word, or the bytes of a string */
export function keyText(type: StorageType, key: Uint8Array): string {
  if (type.encoding === 'bytes') {
    const text = textOf(type, key);
    return type.label === 'string' ? JSON.stringify(text) : text;
  }
  // Values are right-aligned in the word, except bytesN, which is left-aligned.
  const size = Number(type.numberOfBytes);
  const isLeft = /^bytes\d+$/.test(type.underlying ?? type.label);
  return String(placedValue(type, isLeft ? key.subarray(0, size) : key.subarray(32 - size)));
}
