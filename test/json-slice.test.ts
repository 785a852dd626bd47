import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonSlice } from '../src/json-slice.ts';
import { runs } from './fuzz.ts';

const textOf = (text: string) => new JsonSlice(new TextEncoder().encode(text));

describe('a JSON text that is read piece by piece', () => {
  it('has the members and items that JSON.parse finds, whatever the spaces', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t\n'), (value, space) => {
        const json = `${JSON.stringify({ list: [value], value }, undefined, space)}\n`;
        const members = new Map(textOf(json).members());
        // Not the value itself: JSON has no -0.
        const parsed = JSON.parse(json);
        expect([...members.keys()]).toEqual(['list', 'value']);
        expect(members.get('value')!.parse()).toEqual(parsed.value);
        expect([...members.get('list')!.items()].map((item) => item.parse())).toEqual(parsed.list);
      }),
      { numRuns: runs(100) },
    );
  });

  it('takes quotes, backslashes and brackets in strings for text', () => {
    const value = { 'a"]\\': ['\\', '\\"', '}{', ','], b: { c: 'ü€😀' } };
    const found = [...textOf(JSON.stringify(value)).members()].map(([name, text]) => [name, text.parse()]);
    expect(Object.fromEntries(found)).toEqual(value);
  });

  it('ends strings of any length where JSON.parse does', () => {
    const character = fc.constantFrom('a', '"', '\\', '\n', '€', '{', ']', ',');
    fc.assert(
      fc.property(fc.array(fc.array(character, { maxLength: 140 }), { maxLength: 5 }), (lists) => {
        const strings = lists.map((characters) => characters.join(''));
        const list = [...textOf(JSON.stringify(strings)).items()];
        expect(list.map((item) => item.parse())).toEqual(strings);
      }),
      { numRuns: runs(300) },
    );
  });

  it('has the parts of its parts, whether they are read before the next part or later', () => {
    const value = { a: { b: [1, { c: 'x' }], d: {} }, e: [] };
    const text = textOf(JSON.stringify(value));
    const depthFirst = (slice: JsonSlice): unknown => {
      if (!slice.isObject) return slice.parse();
      return Object.fromEntries([...slice.members()].map(([name, each]) => [name, depthFirst(each)]));
    };
    expect(depthFirst(text)).toEqual(value);
    const inTurn: unknown[] = [];
    for (const [name, each] of text.members()) inTurn.push([name, depthFirst(each), each.bytes.toString()]);
    expect(inTurn).toEqual(Object.entries(value).map(([name, v]) => [name, v, JSON.stringify(v)]));
  });

  it('of nothing has no parts', () => {
    expect([...textOf(' [ ] ').items()]).toEqual([]);
    expect([...textOf('{}').members()]).toEqual([]);
  });

  it.each([
    '',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{"a":1}x',
    '{"a":"}',
    '{"a":[1}',
    '{1:2}',
    '[]',
    '{,}',
  ])('%j is refused', (text) => {
    expect(() => {
      for (const [, value] of textOf(text).members()) value.parse();
    }).toThrow(SyntaxError);
  });
});
