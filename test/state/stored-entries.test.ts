import { describe, expect, it } from 'vitest';
import { keccak256 } from '../../src/state/keccak.ts';
import { MemorySource } from '../../src/state/node-cache.ts';
import { Trie } from '../../src/state/trie.ts';

/** Numbers that are the same in each run. */
function randomness(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const bytesOf = (length: number, random: (below: number) => number) =>
  Uint8Array.from({ length }, () => random(256));
const asHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Keys of one length, or of several, where some are the beginning of others; dense ones share long paths. */
const KEYS: Record<string, (random: (below: number) => number) => Uint8Array> = {
  hashed: (random) => keccak256(bytesOf(4, random)),
  'of several lengths': (random) =>
    Uint8Array.from({ length: 1 + random(5) }, () => [0x00, 0x01, 0x10, 0xff][random(4)]!),
  dense: (random) => Uint8Array.of(...new Uint8Array(29), random(2), random(3), random(256)),
};

describe('the entries of a stored trie', () => {
  for (const [kind, keyOf] of Object.entries(KEYS))
    it.each([1, 2, 7, 60, 900])(
      `are those that were put in, in order, from any key on (keys ${kind}, %i)`,
      (count) => {
        const random = randomness(count);
        const source = new MemorySource();
        const content = new Map<string, Uint8Array>();
        const changes: [Uint8Array, Uint8Array][] = [];
        for (let i = 0; i < count; i++) {
          const [key, value] = [keyOf(random), bytesOf(1 + random(random(4) === 0 ? 400 : 40), random)];
          content.set(asHex(key), value);
          changes.push([key, value]);
        }
        const folded = Trie.empty(source).update(changes);
        source.store({ nodes: folded.unstored(), code: [] });
        const stored = Trie.at(source, folded.root);
        const listed = (trie: Trie, start?: Uint8Array) =>
          [...trie.entries(start)].map(([key, value]) => [asHex(key), asHex(value)]);
        const expected = [...content].sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => [k, asHex(v)]);
        expect(listed(stored)).toEqual(expected);
        // A part of it is in memory, and the rest is stored.
        const [first] = changes[0]!;
        const changed = stored.update([[first, Uint8Array.of(7)]]);
        const others = expected.map(([key, value]) => [key, key === asHex(first) ? '07' : value]);
        expect(listed(changed)).toEqual(others);
        const starts = [
          ...changes.slice(0, 40).map(([key]) => key),
          ...Array.from({ length: 40 }, () => keyOf(random)),
        ];
        for (const start of starts) {
          expect(listed(stored, start)).toEqual(expected.filter(([key]) => key! >= asHex(start)));
          expect(listed(changed, start)).toEqual(others.filter(([key]) => key! >= asHex(start)));
        }
      },
    );

  it('end with an error that names a node which is missing', () => {
    const folded = Trie.empty().update([[keccak256(Uint8Array.of(1)), bytesOf(40, randomness(1))]]);
    expect(() => [...Trie.at(new MemorySource(), folded.root).entries()]).toThrow(
      `missing trie node 0x${asHex(folded.root)}`,
    );
  });
});
