import { bytesToHex } from '@ethereumjs/util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RootedList } from '../../src/chain/rooted-list.ts';
import { Trie } from '../../src/state/trie.ts';
import { runs } from '../fuzz.ts';

it('has the root of the list trie after each addition, and the shorter lists keep theirs', () => {
  const items = fc.array(fc.uint8Array({ minLength: 1, maxLength: 70 }), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(items, { maxLength: 8 }), (additions) => {
      const all: Uint8Array[] = [];
      const lists = [{ list: RootedList.EMPTY, items: [...all] }];
      for (const added of additions) {
        all.push(...added);
        lists.push({ list: lists.at(-1)!.list.with(added), items: [...all] });
      }
      for (const { list, items } of lists) {
        expect(list.length).toBe(items.length);
        expect(bytesToHex(list.root)).toBe(bytesToHex(Trie.rootOfList(items)));
      }
    }),
    { numRuns: runs(100) },
  );
});

it('the root of many items added one by one is that of the list trie', () => {
  const items = Array.from({ length: 300 }, (_, i) => new Uint8Array(1 + (i % 100)).fill(i % 255));
  const list = items.reduce((before, item) => before.with([item]), RootedList.EMPTY);
  expect(bytesToHex(list.root)).toBe(bytesToHex(Trie.rootOfList(items)));
});
