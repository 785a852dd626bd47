import { hexKey } from '../../state/hex-key.ts';

/** `0x` and hex digits, the JSON-RPC encoding of bytes and quantities. */
export type Hex = `0x${string}`;

/** Bytes as even-length hex; `0x` for none. */
export function hex(bytes: Uint8Array): Hex {
  // Most byte strings are hashes.
  if (bytes.length <= 32) return hexKey(bytes);
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

/** A number as minimal hex; `0x0` for zero. */
export function quantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`;
}

/** Bytes as a 32-byte word, padded with zeros on the left. */
export function word(bytes: Uint8Array): Hex {
  return `0x${hex(bytes).slice(2).padStart(64, '0')}`;
}
