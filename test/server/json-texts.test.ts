import { expect, it } from 'vitest';
import { JsonTexts } from '../../src/server/json-texts.ts';

/** The texts that come out when bytes come in pieces of this size. */
function cut(text: string, size: number): string[] {
  const texts = new JsonTexts();
  const bytes = Buffer.from(text);
  const out: string[] = [];
  for (let at = 0; at < bytes.length; at += size)
    out.push(...texts.add(bytes.subarray(at, at + size)).map((found) => found.toString()));
  return out;
}

it.each([1, 2, 3, 7, 1000])(
  'texts are found in pieces of %i bytes, with and without space between',
  (size) => {
    const texts = ['{"a":"}\\"{"}', '[{"b":[1]},2]', '{"c":"\\\\"}', '{"d":{"e":"ü"}}'];
    expect(cut(texts.join(''), size)).toEqual(texts);
    expect(cut(texts.join('\n \t\r\n'), size)).toEqual(texts);
  },
);

it('what is no request ends with its line, or at a brace too many, and the next one is found', () => {
  expect(cut('nonsense\n{"a":1}', 4)).toEqual(['nonsense\n', '{"a":1}']);
  expect(cut('}{"a":1}', 4)).toEqual(['}', '{"a":1}']);
});

it('what is not complete waits, and is counted', () => {
  const texts = new JsonTexts();
  expect(texts.add(Buffer.from('{"a":1}{"b":'))).toHaveLength(1);
  expect(texts.waiting).toBe(5);
});
