import { bytesToHex, setLengthLeft } from '@ethereumjs/util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonBytes } from '../../src/anvil-state/json-bytes.ts';
import { integerBytes } from '../../src/state/integers.ts';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

test('text, hex, quantities and words are written as by string methods, whatever the size of a piece', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary-ascii' }).map((value) => ({ kind: 'text' as const, value })),
    fc.uint8Array({ maxLength: 300 }).map((value) => ({ kind: 'hex' as const, value })),
    fc.bigInt(0n, 2n ** 256n - 1n).map((value) => ({ kind: 'quantity' as const, value })),
    fc.uint8Array({ maxLength: 32 }).map((value) => ({ kind: 'word' as const, value })),
  );
  fc.assert(
    fc.property(fc.array(part), fc.integer({ min: 1, max: 64 }), (parts, size) => {
      const json = new JsonBytes(size);
      let expected = '';
      for (const { kind, value } of parts) {
        if (kind === 'text') {
          json.text(value);
          expected += value;
        } else if (kind === 'quantity') {
          json.quantity(integerBytes(value));
          expected += value.toString(16);
        } else if (kind === 'hex') {
          json.hex(value);
          expected += bytesToHex(value).slice(2);
        } else {
          json.word(value);
          expected += bytesToHex(setLengthLeft(value, 32)).slice(2);
        }
      }
      expect(json.length).toBe(expected.length);
      expect(text(json.take())).toBe(expected);
    }),
  );
});

test('a piece keeps its content when the next one is written', () => {
  const json = new JsonBytes(8);
  json.text('first');
  const first = json.take();
  json.text('other');
  expect([text(first), text(json.take()), json.length]).toEqual(['first', 'other', 0]);
});
