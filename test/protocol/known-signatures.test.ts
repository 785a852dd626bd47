import { beforeEach, expect, it } from 'vitest';
import type { Ecsign } from '../../src/protocol/crypto.ts';
import { rememberSignatures } from '../../src/protocol/known-signatures.ts';

const bytes = (length: number, value: number) => new Uint8Array(length).fill(value);
const HASH = bytes(32, 1);
const [KEY, OTHER] = [bytes(32, 7), bytes(32, 8)];

let made: number;
let sign: Ecsign;
beforeEach(() => {
  made = 0;
  sign = rememberSignatures((hash, key) => {
    made++;
    return Uint8Array.of(hash[0]!, hash[31]!, key[0]!);
  });
});

it('a signature is made once for a hash and a key', () => {
  expect(sign(HASH, KEY)).toEqual(Uint8Array.of(1, 1, 7));
  expect(sign(HASH.slice(), KEY)).toEqual(Uint8Array.of(1, 1, 7));
  expect(made).toBe(1);
});

it('another hash and another key have another signature', () => {
  sign(HASH, KEY);
  expect(sign(HASH.with(31, 5), KEY)).toEqual(Uint8Array.of(1, 5, 7));
  expect(sign(HASH, OTHER)).toEqual(Uint8Array.of(1, 1, 8));
  expect(made).toBe(3);
});

it('a hash that stands in the same memory later has a signature of its own', () => {
  const hash = HASH.slice();
  sign(hash, KEY);
  hash.fill(4);
  expect(sign(hash, KEY)).toEqual(Uint8Array.of(4, 4, 7));
});

it('a signature is forgotten when there are thousands of newer ones', () => {
  const hashOf = (i: number) => HASH.with(0, i >> 8).with(1, i & 0xff);
  for (let i = 0; i < 10_000; i++) sign(hashOf(i), KEY);
  sign(hashOf(9_999), KEY);
  expect(made).toBe(10_000);
  sign(hashOf(0), KEY);
  expect(made).toBe(10_001);
});
