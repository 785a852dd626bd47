import { bytesToHex } from '@ethereumjs/util';
import { expect, it } from 'vitest';
import { packedCodes } from '../../scripts/build/packed-codes.mjs';
import codes from '../../src/state/op-stack-code.json' with { type: 'json' };
import { opStackCode, unpackedCodes } from '../../src/state/op-stack-code.ts';

it('codes are unpacked as they were packed, in a seventh of the size of their hex', () => {
  const packed = packedCodes(codes);
  const unpacked = [...unpackedCodes(packed)].map(([name, code]) => [name, bytesToHex(code)]);
  expect(Object.fromEntries(unpacked)).toEqual(codes);
  expect(packed.length * 7).toBeLessThan(JSON.stringify(codes).length);
});

it('each caller gets a copy of a code that it may change', () => {
  opStackCode('Proxy').fill(0);
  expect(bytesToHex(opStackCode('Proxy'))).toBe(codes.Proxy);
});
