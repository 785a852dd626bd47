import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonList, JsonMembers, streamOf, writeJson } from '../../src/rpc/json-pieces.ts';
import { JsonText } from '../../src/rpc/json-text.ts';

/** JSON values, of which some are text already, and some arrays and objects are made when they are written. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'value' },
    fc.constantFrom(null, true, 0, -1.5, '', 'a"\n\u2028', undefined),
    fc.string(),
    fc.jsonValue().map((json) => new JsonText(JSON.stringify(json))),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => new JsonList(() => items)),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
    fc
      .dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true })
      .map((members) => new JsonMembers(() => Object.entries(members))),
  ),
}));

const written = async (json: unknown) => {
  let text = '';
  await writeJson(json, { write: (part) => (text += part), room: () => undefined });
  return text;
};

test('what is written in pieces is what JSON.stringify makes', async () => {
  await fc.assert(
    fc.asyncProperty(value, async (json) => {
      expect(await written(json)).toBe(JSON.stringify(json) ?? 'null');
    }),
  );
});

test('a list is made as far as its reader reads', async () => {
  let made = 0;
  const list = new JsonList(function* () {
    for (; made < 1_000; made++) yield 'x'.repeat(1_000);
  });
  const stream = await streamOf({ list });
  const reader = stream[Symbol.asyncIterator]();
  await reader.next();
  await new Promise((resolve) => setImmediate(resolve));
  expect(made).toBeLessThan(200);
  stream.cancel();
});

test('writing gives way between the parts', async () => {
  let pauses = 0;
  const pause = async () => void pauses++;
  const list = new JsonList(() => ['a', 'b', 'c']);
  const nowhere = { write: () => {}, room: () => undefined };
  await writeJson(list, nowhere, { due: true, pause, hold: () => {} });
  expect(pauses).toBe(3);
});
