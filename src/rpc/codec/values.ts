import { Address } from '@ethereumjs/util';
import { EMPTY_BYTES } from '../../state/account.ts';
import { pool } from '../../state/slab.ts';
import { type Codec, invalid, mapped } from './codec.ts';
import { type Hex, quantity as quantityText, word } from './hex.ts';

const QUANTITY = /^0x[0-9a-f]{1,64}$/i;
const DECIMAL = /^\d{1,78}$/;

/** A hex number of at most 256 bits, leading zeros allowed; or a JSON number, as in anvil. */
export const quantity: Codec<bigint> = {
  decode: (value, path) => {
    if (typeof value === 'string' && QUANTITY.test(value)) return BigInt(value);
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
    return invalid(path, 'a quantity (0x hex, 256 bits at most)', value);
  },
};

/**
 * A {@link quantity}, a decimal string (scripts send `String(seconds)` to dev methods), or `0x` for 0. anvil accepts all of these in dev
 * methods, Hardhat most. Methods of the execution-apis specification accept only a {@link quantity}.
 */
export const amount: Codec<bigint> = {
  decode: (value, path) => {
    if (value === '0x') return 0n;
    if (typeof value !== 'string' || !DECIMAL.test(value)) return quantity.decode(value, path);
    const number = BigInt(value);
    return number < 1n << 256n ? number : invalid(path, 'a quantity (256 bits at most)', value);
  },
};

/** A {@link quantity} of at most 64 bits: block numbers, gas, times, indexes. */
export const uint64: Codec<bigint> = within64(quantity);

/** A {@link quantity} below 2^32, as a number: for indexes. */
export const uint32: Codec<number> = mapped(uint64, (value, path) =>
  value < 1n << 32n ? Number(value) : invalid(path, 'a quantity of 32 bits at most', Number(value)),
);

/** An {@link amount} of at most 64 bits. */
export const amount64: Codec<bigint> = within64(amount);

function within64(codec: Codec<bigint>): Codec<bigint> {
  return {
    decode: (value, path) => {
      const number = codec.decode(value, path);
      return number < 1n << 64n ? number : invalid(path, 'a quantity of 64 bits at most', value);
    },
  };
}

/** Up to this many bytes, decoding byte by byte is faster than with a Buffer. */
const FEW = 128;
/** The value of each hex digit by its character code; NOT_HEX for other characters. */
const NOT_HEX = 16;
const DIGITS = new Uint8Array(128).fill(NOT_HEX);
for (let i = 0; i < 16; i++) {
  const digit = i.toString(16);
  DIGITS[digit.charCodeAt(0)] = i;
  DIGITS[digit.toUpperCase().charCodeAt(0)] = i;
}

function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'string' || value[0] !== '0' || (value[1] !== 'x' && value[1] !== 'X'))
    return undefined;
  const { length } = value;
  if (length === 2) return EMPTY_BYTES;
  if (length <= 2 + 2 * FEW) {
    if (length % 2 === 1) return undefined;
    const bytes = pool.take(length / 2 - 1);
    for (let i = 0, at = 2; at < length; i++, at += 2) {
      const high = DIGITS[value.charCodeAt(at)] ?? NOT_HEX;
      const low = DIGITS[value.charCodeAt(at + 1)] ?? NOT_HEX;
      if (high === NOT_HEX || low === NOT_HEX) return undefined;
      bytes[i] = 16 * high + low;
    }
    return bytes;
  }
  // Buffer.from stops at the first character that isn't hex, so the length shows whether all characters were hex.
  const bytes = Buffer.from(value.slice(2), 'hex');
  return bytes.length * 2 === value.length - 2 ? new Uint8Array(bytes) : undefined;
}

function fixedBytes(length: number, expected: string): Codec<Uint8Array> {
  return {
    decode: (value, path) => {
      if (typeof value !== 'string' || value.length !== 2 + 2 * length) return invalid(path, expected, value);
      return bytesOf(value) ?? invalid(path, expected, value);
    },
  };
}

/** Bytes: 0x and an even number of hex digits. */
export const data: Codec<Uint8Array> = {
  decode: (value, path) =>
    bytesOf(value) ?? invalid(path, 'bytes (0x and an even number of hex digits)', value),
};

/** 32 bytes. */
export const hash32: Codec<Uint8Array> = fixedBytes(32, 'a 32-byte hash');

const addressBytes = fixedBytes(20, 'a 20-byte address');

/** A 20-byte address. The EIP-55 checksum isn't verified, as in geth. */
export const address: Codec<Address> = {
  decode: (value, path) => new Address(addressBytes.decode(value, path)),
};

/** A storage slot: a number or hex integer of any length up to 32 bytes, decoded to 32 bytes. */
export const slot: Codec<Uint8Array> = {
  isSlot: true,
  decode: (value, path) => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)
      return slot.decode(`0x${value.toString(16)}`, path);
    if (typeof value !== 'string' || !QUANTITY.test(value))
      return invalid(path, 'a storage slot (0x hex, 32 bytes at most)', value);
    return new Uint8Array(Buffer.from(value.slice(2).padStart(64, '0'), 'hex'));
  },
};

/** A storage value or another word: hex of any length up to 32 bytes, decoded to 32 bytes. JSON numbers are rejected. */
export const wordOf: Codec<Uint8Array> = {
  decode: (value, path) =>
    typeof value === 'string' && QUANTITY.test(value)
      ? slot.decode(value, path)
      : invalid(path, 'a word of 32 bytes (0x hex)', value),
};

/** A storage slot to write: a {@link slot} or a decimal string, as in anvil. */
export const writtenSlot: Codec<Uint8Array> = mapped(amount, (value, path) =>
  slot.decode(quantityText(value), path),
);

/** A storage slot, and the form in which the answer repeats it: as in geth 32 bytes if the request had 32 bytes, else a quantity. */
export const storageKey: Codec<{ readonly slot: Uint8Array; readonly name: Hex }> = {
  isSlot: true,
  decode: (value, path) => {
    const decoded = slot.decode(value, path);
    const isWord = typeof value === 'string' && value.length > 64;
    return { slot: decoded, name: isWord ? word(decoded) : quantityText(BigInt(word(decoded))) };
  },
};

export const boolean: Codec<boolean> = {
  decode: (value, path) => (typeof value === 'boolean' ? value : invalid(path, 'true or false', value)),
};

/** A JSON number, fractions allowed. */
export const number: Codec<number> = {
  decode: (value, path) => (typeof value === 'number' ? value : invalid(path, 'a number', value)),
};

export const string: Codec<string> = {
  decode: (value, path) => (typeof value === 'string' ? value : invalid(path, 'a string', value)),
};
