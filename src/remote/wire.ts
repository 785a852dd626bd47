import { bigIntToUnpaddedBytes, bytesToHex, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';

/** A result that isn't valid for its method. */
export class BadAnswer extends Error {
  constructor(name: string, expected: string, got: unknown) {
    const shown = JSON.stringify(got) ?? 'nothing';
    super(`${name}: expected ${expected}, got ${shown.length > 60 ? `${shown.slice(0, 57)}...` : shown}`);
  }
}

/** @throws BadAnswer */
export function readQuantity(value: unknown, name: string): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value))
    throw new BadAnswer(name, 'a quantity in hex', value);
  return BigInt(value);
}

/** @param length bytes; any when absent. @throws BadAnswer */
export function readBytes(value: unknown, name: string, length?: number): Uint8Array {
  if (typeof value !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(value))
    throw new BadAnswer(name, 'bytes in hex', value);
  const bytes = hexToBytes(value as PrefixedHexString);
  if (length !== undefined && bytes.length !== length) throw new BadAnswer(name, `${length} bytes`, value);
  return bytes;
}

/** A storage value without leading zeros. Nodes pad it differently. @throws BadAnswer */
export function readWord(value: unknown, name: string): Uint8Array {
  if (value === '0x') return new Uint8Array();
  return bigIntToUnpaddedBytes(readQuantity(value, name));
}

export const writeQuantity = (value: bigint): string => `0x${value.toString(16)}`;
export const writeBytes = (value: Uint8Array): string => bytesToHex(value);
