import { bigIntToBytes, bigIntToUnpaddedBytes, bytesToBigInt, setLengthLeft } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { integerBytes, integerOf, integerWord } from '../../src/state/integers.ts';
import { runs } from '../fuzz.ts';

/** Around each power of 256, where the number of bytes changes, and anywhere. */
const integer = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 520n }),
  fc.tuple(fc.bigInt({ min: 0n, max: 64n }), fc.bigInt({ min: -2n, max: 2n })).map(([power, off]) => {
    const value = 256n ** power + off;
    return value < 0n ? 0n : value;
  }),
);

describe('integers as bytes', () => {
  it('are the library’s, minimal', () => {
    fc.assert(
      fc.property(integer, (value) => {
        expect(integerBytes(value)).toEqual(bigIntToUnpaddedBytes(value));
      }),
      { numRuns: runs(100) },
    );
  });

  it('are the library’s, padded to a length', () => {
    fc.assert(
      fc.property(integer, fc.integer({ min: 0, max: 70 }), (value, length) => {
        const fits = value < 256n ** BigInt(length);
        if (!fits) expect(() => integerWord(value, length)).toThrow(RangeError);
        else if (length > 0)
          expect(integerWord(value, length)).toEqual(setLengthLeft(bigIntToBytes(value), length));
      }),
      { numRuns: runs(100) },
    );
  });

  it('read back as they were, with leading zeros or without, from any place in a buffer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), fc.integer({ min: 0, max: 9 }), (bytes, offset) => {
        const placed = new Uint8Array(bytes.length + 20).fill(0xee);
        placed.set(bytes, offset);
        const view = placed.subarray(offset, offset + bytes.length);
        expect(integerOf(view)).toBe(bytesToBigInt(bytes));
      }),
      { numRuns: runs(100) },
    );
  });
});
