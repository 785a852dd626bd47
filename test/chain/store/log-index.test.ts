import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LogIndex } from '../../../src/chain/store/log-index.ts';
import { runs } from '../../fuzz.ts';

interface Listed {
  readonly number: number;
  readonly terms: readonly number[];
}

const terms = fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 6 });
const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ gap: fc.integer({ min: 1, max: 3 }), terms }) },
    { weight: 1, arbitrary: fc.record({ back: fc.integer({ min: 0, max: 12 }) }) },
  ),
  { maxLength: 300 },
);
const search = fc.record({
  from: fc.integer({ min: 0, max: 300 }),
  length: fc.integer({ min: 0, max: 300 }),
  groups: fc.array(terms, { maxLength: 3 }),
});

/** Blocks as a plain list, after the same steps as the index. */
function listed(
  index: LogIndex,
  all: readonly ({ gap: number; terms: number[] } | { back: number })[],
): Listed[] {
  let blocks: Listed[] = [];
  for (const step of all) {
    const head = blocks.at(-1)?.number ?? 0;
    if ('back' in step) {
      index.removeAbove(head - step.back);
      blocks = blocks.filter(({ number }) => number <= head - step.back);
    } else {
      index.add(head + step.gap, step.terms);
      blocks.push({ number: head + step.gap, terms: step.terms });
    }
  }
  return blocks;
}

const hasEach = (block: Listed, groups: readonly number[][]) =>
  groups.every((group) => group.some((term) => block.terms.includes(term)));

test('blocks with a term of each group are found, and no others, as they come and go', () => {
  fc.assert(
    fc.property(steps, fc.array(search, { minLength: 5 }), (all, searches) => {
      const index = new LogIndex();
      const blocks = listed(index, all);
      for (const { from, length, groups } of searches) {
        const wanted = blocks.filter(
          (block) => block.number >= from && block.number <= from + length && hasEach(block, groups),
        );
        expect(index.find(from, from + length, groups)).toEqual(wanted.map(({ number }) => number));
      }
    }),
    { numRuns: runs(200) },
  );
});

test('an index with too many terms finds more of the oldest blocks, and never fewer', () => {
  fc.assert(
    fc.property(steps, search, (all, { groups }) => {
      const index = new LogIndex({ mostHeld: 40 });
      const blocks = listed(index, all);
      const found = new Set(index.find(0, Number.MAX_SAFE_INTEGER, groups));
      for (const block of blocks) if (hasEach(block, groups)) expect(found).toContain(block.number);
      for (const block of blocks.slice(-3))
        if (!hasEach(block, groups)) expect(found).not.toContain(block.number);
    }),
    { numRuns: runs(200) },
  );
});

test('blocks that are pruned take no room', () => {
  const index = new LogIndex();
  for (let number = 0; number < 10_000; number++) index.add(number, [number % 7], number - 10);
  expect(index.size).toBeLessThan(130);
  expect(index.find(9_990, 9_999, [[9_995 % 7]])).toEqual([9_995]);
});

test('another index goes on where this one ends', () => {
  const [one, other] = [new LogIndex(), new LogIndex()];
  one.add(1, [1, 2]);
  other.add(5, [2]);
  other.add(6, []);
  one.append(other);
  expect(one.find(0, 9, [[2]])).toEqual([1, 5, 6]);
  expect(one.find(0, 9, [[1]])).toEqual([1, 6]);
});
