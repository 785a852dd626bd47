import { bytesToHex } from '@ethereumjs/util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CODE_KEY, type EncodedEntries, NODE_KEY, PREIMAGE_KEY } from '../../src/state/encoded-entries.ts';
import { MemorySource } from '../../src/state/node-cache.ts';
import { encoded } from '../chain/store/changing-chain.ts';

type Entry = readonly [kind: number, hash: Uint8Array, value: Uint8Array];

function encodedOf(entries: readonly Entry[]): EncodedEntries {
  const of = (kind: number) =>
    entries.flatMap(([own, hash, value]) => (own === kind ? [[hash, value] as const] : []));
  return encoded({ nodes: of(NODE_KEY), code: of(CODE_KEY), preimages: of(PREIMAGE_KEY) });
}

const kind = fc.constantFrom(NODE_KEY, CODE_KEY, PREIMAGE_KEY);
// Many hashes begin with the same bytes.
const hash = fc
  .tuple(fc.constantFrom(0, 1, 255), fc.uint8Array({ minLength: 1, maxLength: 1 }))
  .map(([first, [last]]) => Uint8Array.from({ length: 32 }, (_, i) => (i < 31 ? first : last!)));
const entries = fc.uniqueArray(fc.tuple(kind, hash, fc.uint8Array({ maxLength: 40 })), {
  selector: ([of, key]) => `${of} ${bytesToHex(key)}`,
});

test('each entry is found by its kind and hash, and nothing else', () => {
  fc.assert(
    fc.property(entries, kind, hash, (given, otherKind, otherHash) => {
      const made = encodedOf(given);
      expect(made.count).toBe(given.length);
      for (const [of, key, value] of given) expect(made.find(of, key)).toEqual(value);
      const [, , expected] =
        given.find(([of, key]) => of === otherKind && bytesToHex(key) === bytesToHex(otherHash)) ?? [];
      expect(made.find(otherKind, otherHash)).toEqual(expected);
    }),
  );
});

test('a source in memory has the nodes and code of all states that were added, encoded or not', () => {
  fc.assert(
    fc.property(fc.array(entries, { maxLength: 4 }), fc.array(fc.boolean()), (states, isEncoded) => {
      const source = new MemorySource();
      const [nodes, code] = [new Map<string, Uint8Array>(), new Map<string, Uint8Array>()];
      const known = new Map<string, Uint8Array>();
      for (const [i, given] of states.entries()) {
        // The value of a hash is the same in all states.
        const same = given.map(([of, key, value]): Entry => {
          const name = `${of} ${bytesToHex(key)}`;
          known.set(name, known.get(name) ?? value);
          if (of === NODE_KEY) nodes.set(bytesToHex(key), known.get(name)!);
          if (of === CODE_KEY) code.set(bytesToHex(key), known.get(name)!);
          return [of, key, known.get(name)!];
        });
        const { encoded: whole, ...parts } = encodedOf(same).parts;
        source.store(isEncoded[i] ? { ...parts, encoded: whole } : parts);
      }
      for (const first of [0, 1, 255])
        for (let last = 0; last < 256; last++) {
          const key = Uint8Array.from({ length: 32 }, (_, i) => (i < 31 ? first : last));
          expect(source.getNode(key)).toEqual(nodes.get(bytesToHex(key)));
          expect(source.getCode(key)).toEqual(code.get(bytesToHex(key)));
        }
    }),
    { numRuns: 20 },
  );
});
