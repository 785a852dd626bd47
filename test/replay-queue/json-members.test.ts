import fc from 'fast-check';
import { expect, it } from 'vitest';
import { membersOf } from '../../src/replay-queue/json-members.ts';
import { runs } from '../fuzz.ts';

it('finds the members of an object as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 1, 4), (object, indent) => {
      const json = Buffer.from(` ${JSON.stringify(object, undefined, indent)}\n`);
      const found = [...membersOf(json)].map(({ from, to }) =>
        JSON.parse(`{${json.toString('utf8', from, to)}}`),
      );
      expect(Object.assign(Object.create(null), ...found)).toEqual(
        JSON.parse(JSON.stringify(Object.assign(Object.create(null), object))),
      );
      expect(found).toHaveLength(Object.keys(object).length);
    }),
    { numRuns: runs(500) },
  );
});
