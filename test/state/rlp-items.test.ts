import { RLP } from '@ethereumjs/rlp';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeRlp, encodeRlp, encodeStrings, type RlpInput } from '../../src/state/rlp-items.ts';
import { pool } from '../../src/state/slab.ts';
import { runs } from '../fuzz.ts';

/** The lengths at which RLP changes its form are 1, 55 and 255. */
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 2 }),
  fc.uint8Array({ minLength: 50, maxLength: 60 }),
  fc.constantFrom(255, 256, 70_000).map((length) => new Uint8Array(length).fill(7)),
);
const { input } = fc.letrec<{ input: RlpInput }>((tie) => ({
  input: fc.oneof({ weight: 2, arbitrary: bytes }, fc.array(tie('input'), { maxLength: 8 })),
}));

type Texts = string | readonly Texts[];

/** Byte strings as texts, which are compared at once instead of byte by byte. */
function textOf(item: RlpInput): Texts {
  return item instanceof Uint8Array ? Buffer.from(item).toString('latin1') : item.map(textOf);
}

it('encodes anything as the library does', () => {
  fc.assert(
    fc.property(input, (item) => {
      const expected = RLP.encode(item as Parameters<typeof RLP.encode>[0]);
      expect(Buffer.compare(encodeRlp(item), expected)).toBe(0);
    }),
    { numRuns: runs(300) },
  );
});

it('decodes what the library encodes, to parts of the bytes', () => {
  fc.assert(
    fc.property(input, (item) => {
      const encoded = RLP.encode(item as Parameters<typeof RLP.encode>[0]);
      expect(textOf(decodeRlp(encoded))).toEqual(textOf(RLP.decode(encoded) as RlpInput));
    }),
    { numRuns: runs(300) },
  );
  expect(() => decodeRlp(Uint8Array.of(0xc2, 0x01))).toThrow('ends behind');
});

it("encodes lists of strings so, also into bytes of the pool, which are nobody else's", () => {
  fc.assert(
    fc.property(fc.array(fc.array(bytes, { maxLength: 20 }), { maxLength: 20 }), (lists) => {
      const encoded = lists.map((list) => encodeStrings(list, (length) => pool.take(length)));
      for (const [i, list] of lists.entries()) {
        const expected = RLP.encode(list);
        expect(Buffer.compare(encoded[i]!, expected)).toBe(0);
        expect(Buffer.compare(encodeStrings(list), expected)).toBe(0);
      }
    }),
    { numRuns: runs(100) },
  );
});
