import { createRequire } from 'node:module';
import {
  bytesToBigInt,
  bytesToHex,
  hexToBytes,
  privateToPublic,
  ecrecover as reference,
} from '@ethereumjs/util';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Backend, type Crypto, chooseCrypto, loadCrypto } from '../../src/protocol/crypto.ts';
import { runs } from '../fuzz.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const privateKey = bytes32.filter((key) => bytesToBigInt(key) > 0n && bytesToBigInt(key) < ORDER);
const native = createRequire(import.meta.url)('secp256k1') as {
  ecdsaSign(hash: Uint8Array, key: Uint8Array): { signature: Uint8Array; recid: number };
};

/** What a backend does with a signature: the key in hex, or a refusal. */
function outcome(recover: Crypto['ecrecover'], ...parameters: Parameters<Crypto['ecrecover']>): string {
  try {
    return bytesToHex(recover(...parameters));
  } catch {
    return 'refused';
  }
}

describe.each<Backend>(['native', 'wasm', 'noble'])('%s', (name) => {
  let crypto: Crypto;
  beforeAll(async () => {
    crypto = await loadCrypto(name);
  });

  it('recovers the key that signed', () => {
    fc.assert(
      fc.property(bytes32, privateKey, (hash, key) => {
        const { signature, recid } = native.ecdsaSign(hash, key);
        const [r, s] = [signature.subarray(0, 32), signature.subarray(32)];
        const expected = bytesToHex(privateToPublic(key));
        expect(outcome(crypto.ecrecover, hash, BigInt(recid), r, s)).toBe(expected);
        expect(outcome(crypto.ecrecover, hash, BigInt(recid + 27), r, s)).toBe(expected);
        expect(outcome(crypto.ecrecover, hash, BigInt(recid + 35) + 2n * 31337n, r, s, 31337n)).toBe(
          expected,
        );
      }),
      { numRuns: runs(15) },
    );
  });

  it('agrees with noble on arbitrary signatures', () => {
    fc.assert(
      fc.property(bytes32, fc.bigInt({ min: 0n, max: 30n }), bytes32, bytes32, (hash, v, r, s) => {
        expect(outcome(crypto.ecrecover, hash, v, r, s)).toBe(outcome(reference, hash, v, r, s));
      }),
      { numRuns: runs(60) },
    );
  });

  it.each([
    ['r = 0', '00', '01'],
    ['s = 0', '01', '00'],
    ['r = order', ORDER.toString(16), '01'],
    ['s = order', '01', ORDER.toString(16)],
    ['r not on the curve', '05', '01'],
    ['short r and s', '0c', '07'],
    ['high s', '01', (ORDER - 1n).toString(16)],
    ['r over 32 bytes', '01'.repeat(33), '01'],
    ['s over 32 bytes', '01', '01'.repeat(33)],
    ['r with a 33rd zero', `00${'01'.repeat(32)}`, '01'],
  ])('agrees with noble on %s', (_, r, s) => {
    const hash = new Uint8Array(32).fill(7);
    for (const v of [0n, 1n, 2n, 26n, 27n, 28n, 29n]) {
      const parameters = [hash, v, hexToBytes(`0x${r}`), hexToBytes(`0x${s}`)] as const;
      expect(outcome(crypto.ecrecover, ...parameters)).toBe(outcome(reference, ...parameters));
    }
  });
});

it('the chosen one hashes and recovers', async () => {
  const crypto = await chooseCrypto();
  expect(bytesToHex(crypto.keccak256(new Uint8Array()))).toMatch(/^0xc5d2460186f7/);
  expect(bytesToHex(crypto.sha256(new Uint8Array()))).toMatch(/^0xe3b0c44298fc/);
});
