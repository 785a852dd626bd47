import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_LEVELS, parseJson, parseRequest } from '../../src/rpc/parse-json.ts';
import type { Pauses } from '../../src/turns.ts';
import { runs } from '../fuzz.ts';

const bytesOf = (text: string) => Buffer.from(text);
/** Lets other work run at each look at the clock. */
const always = () => {
  let pauses = 0;
  const each: Pauses = {
    due: true,
    pause: async () => {
      pauses++;
    },
    hold: () => {},
  };
  return { pauses: each, count: () => pauses };
};
/** More than is parsed at a time. */
const LONG = 'x'.repeat(70_000);

describe('JSON parsed in pieces', () => {
  it('is what JSON.parse makes of it, whatever is large in it', async () => {
    const large = fc.constantFrom(LONG, [LONG, 1], { a: LONG, b: null }, [[LONG], [LONG]], {
      c: { d: [LONG] },
    });
    const value = fc.oneof(fc.jsonValue(), large);
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { maxLength: 4 }),
        fc.dictionary(fc.string(), value, { maxKeys: 4 }),
        fc.constantFrom(undefined, 1, '\t\n'),
        async (list, members, space) => {
          const text = ` ${JSON.stringify({ list, members, end: [LONG] }, undefined, space)}\n`;
          expect(await parseJson(bytesOf(text))).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: runs(15) },
    );
  });

  it('keeps the last of equal names, and __proto__ as a name', async () => {
    const text = `{"a":1,"x":"${LONG}","a":2,"__proto__":{"y":["${LONG}"]},"b":[]}`;
    const parsed = (await parseJson(bytesOf(text))) as Record<string, unknown>;
    expect(Object.keys(parsed)).toEqual(['a', 'x', '__proto__', 'b']);
    expect(parsed.a).toBe(2);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  });

  it.each([
    `[${JSON.stringify(LONG)},]`,
    `[,${JSON.stringify(LONG)},1]`,
    `[${JSON.stringify(LONG)},,1]`,
    `[[${JSON.stringify(LONG)},1] 2]`,
    `[1 [${JSON.stringify(LONG)},1]]`,
    `[[${JSON.stringify(LONG)},1][${JSON.stringify(LONG)},1]]`,
    `[[${JSON.stringify(LONG)},1],]`,
    `{"a":[${JSON.stringify(LONG)},1],}`,
    `{"a" [${JSON.stringify(LONG)},1]}`,
    `{[${JSON.stringify(LONG)},1]}`,
    `{"a":1:[${JSON.stringify(LONG)},1]}`,
    `{"a":[${JSON.stringify(LONG)},1}]`,
    `[${JSON.stringify(LONG)},1] x`,
    `x [${JSON.stringify(LONG)},1]`,
    `[${JSON.stringify(LONG)},1][1]`,
    `[${JSON.stringify(LONG)},1],1`,
    `[${JSON.stringify(LONG)},1`,
    `["${LONG}`,
    `[${JSON.stringify(LONG)},"\n"]`,
    ']'.repeat(2_000),
    ','.repeat(2_000),
    ' '.repeat(2_000),
  ])('%#: what is not JSON is refused', async (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    await expect(async () => parseRequest(text)).rejects.toThrow(SyntaxError);
  });

  it(`has ${MAX_LEVELS} levels at most`, async () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(await parseRequest(nested(MAX_LEVELS))).toEqual(JSON.parse(nested(MAX_LEVELS)));
    await expect(async () => parseRequest(nested(MAX_LEVELS + 1))).rejects.toMatchObject({
      code: -32600,
      message: 'Invalid request: more than 1000 objects and lists within one another',
    });
  });

  it('has as many members in an object as that is limited to', async () => {
    const text = `{"a":{"b":1,"c":"${LONG}","d":2,"e":3}}`;
    expect(await parseJson(bytesOf(text), { mostMembers: 4 })).toEqual(JSON.parse(text));
    await expect(async () => parseJson(bytesOf(text), { mostMembers: 3 })).rejects.toMatchObject({
      code: -32600,
      message: 'Invalid request: an object has more than 3 members',
    });
  });

  it('lets other work run every few kilobytes', async () => {
    const { pauses, count } = always();
    await parseJson(bytesOf(JSON.stringify(Array.from({ length: 40_000 }, (_, i) => `${i}`))), { pauses });
    expect(count()).toBeGreaterThan(15);
  });

  it('gives away what is taken of large parts, and keeps the rest', async () => {
    const taken: Record<string, unknown> = {};
    const text = `{"keep":[1,"${LONG}"],"take":{"a":1,"b":{"c":"${LONG}","d":2},"e":3}}`;
    const rest = await parseJson(bytesOf(text), {
      take: ([name, inner], part) => {
        if (name !== 'take' || inner !== undefined) return false;
        Object.assign(taken, part);
        return true;
      },
    });
    expect(rest).toEqual({ keep: [1, LONG], take: {} });
    expect(taken).toEqual({ a: 1, b: { c: LONG, d: 2 }, e: 3 });
  });
});
