import { bytesToHex, concatBytes, hexToBytes, setLengthLeft } from '@ethereumjs/util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keccak256 } from '../../../src/state/keccak.ts';
import { runs } from '../../fuzz.ts';
import { executorOf, runCode } from './executors.ts';

/** Returns the hash of its input. */
const HASHES = hexToBytes('0x365f5f37365f205f5260205ff3');
const word = fc.oneof(
  fc.nat(5).map((n) => setLengthLeft(Uint8Array.of(n), 32)),
  // Addresses that differ in the first byte only fall on the same place in the table.
  fc.nat(5).map((n) => Uint8Array.of(...new Uint8Array(12), n, ...new Uint8Array(19).fill(7))),
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
);
const input = fc.oneof(
  word,
  fc.tuple(word, word).map((words) => concatBytes(...words)),
);

it('a hash that was computed before is that of the same input, and only of that', () => {
  const executor = executorOf('osaka');
  fc.assert(
    fc.property(fc.array(input, { minLength: 20, maxLength: 40 }), (inputs) => {
      for (const data of inputs) {
        const result = runCode(executor, HASHES, { data });
        expect(bytesToHex(result.returnData)).toBe(bytesToHex(keccak256(data)));
      }
    }),
    { numRuns: runs(50) },
  );
});
