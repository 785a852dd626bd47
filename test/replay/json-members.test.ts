import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { membersOf, NoObject } from '../../src/replay/json-members.ts';
import { runs } from '../fuzz.ts';

/** A text in chunks of some size. */
async function* chunksOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all(text: string, size = 5): Promise<string[]> {
  const found: string[] = [];
  for await (const { text: member } of membersOf(chunksOf(text, size))) found.push(member.toString());
  return found;
}

describe('the members of an object', () => {
  it('are those that JSON.parse finds, however the text is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom(0, 1, 4),
        fc.constantFrom(1, 2, 3, 7, 1_000),
        async (object, indent, size) => {
          const found = (await all(` ${JSON.stringify(object, undefined, indent)}\n`, size)).map((text) =>
            JSON.parse(`{${text}}`),
          );
          expect(Object.assign(Object.create(null), ...found)).toEqual(
            JSON.parse(JSON.stringify(Object.assign(Object.create(null), object))),
          );
          expect(found).toHaveLength(Object.keys(object).length);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('come before the text has ended, with the place where they end', async () => {
    async function* endless() {
      yield Buffer.from('{"a":[1],');
      for (;;) yield Buffer.from('"b":{"c":"}"},');
    }
    const members = membersOf(endless());
    expect((await members.next()).value).toEqual({ text: Buffer.from('"a":[1]'), end: 8 });
    expect((await members.next()).value).toEqual({ text: Buffer.from('"b":{"c":"}"}'), end: 22 });
  });

  it.each([
    '',
    ' ',
    '[]',
    '[{"a":1}]',
    '{"a":1',
    '{"a":"}',
    '{"a":1}{"b":2}',
    '{"a":1} x',
    '{,"a":1}',
    '7',
    '"{}"',
  ])('are none of %j', async (text) => {
    await expect(all(text)).rejects.toThrow(NoObject);
  });
});
