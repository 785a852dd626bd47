import { describe, expect, it } from 'vitest';
import type { DevnetError } from '../../../src/errors.ts';
import { planBlocks } from '../../../src/execution/simulate/plan.ts';

const START = { number: 10n, time: 1000n, increment: 12n };
const places = (requests: Parameters<typeof planBlocks>[0], start = START) =>
  planBlocks(requests, start).map(({ number, time }) => [number, time]);
const codeOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return (error as DevnetError).code;
  }
  throw new Error('nothing was thrown');
};
const empty = { calls: [] };

describe('planning simulated blocks', () => {
  it('blocks follow the base and each other, an increment apart', () =>
    expect(places([empty, empty])).toEqual([
      [11n, 1012n],
      [12n, 1024n],
    ]));

  it('a gap between numbers is filled with empty blocks', () =>
    expect(places([{ calls: [], blockOverrides: { number: 13n } }])).toEqual([
      [11n, 1012n],
      [12n, 1024n],
      [13n, 1036n],
    ]));

  it('an overridden time moves those after it', () =>
    expect(places([{ calls: [], blockOverrides: { time: 5000n } }, empty])).toEqual([
      [11n, 5000n],
      [12n, 5012n],
    ]));

  it('on a block being built the first block has its time, also when that is the parent’s', () => {
    expect(places([empty, empty], { ...START, firstTime: 1002n } as typeof START)).toEqual([
      [11n, 1002n],
      [12n, 1014n],
    ]);
    expect(places([empty], { ...START, firstTime: 1000n } as typeof START)).toEqual([[11n, 1000n]]);
  });

  it('numbers out of order are -38020', () =>
    expect(codeOf(() => places([{ calls: [], blockOverrides: { number: 10n } }]))).toBe(-38020));

  it('times out of order are -38021, also behind a filled gap', () => {
    expect(codeOf(() => places([{ calls: [], blockOverrides: { time: 1000n } }]))).toBe(-38021);
    expect(codeOf(() => places([{ calls: [], blockOverrides: { number: 13n, time: 1024n } }]))).toBe(-38021);
  });

  it('256 blocks are fine, filled ones counted; one more is -38026', () => {
    expect(places([{ calls: [], blockOverrides: { number: 266n } }])).toHaveLength(256);
    expect(codeOf(() => places([{ calls: [], blockOverrides: { number: 267n } }]))).toBe(-38026);
    expect(codeOf(() => places(Array.from({ length: 257 }, () => empty)))).toBe(-38026);
  });

  it('5,000 calls a block and 10,000 in all are fine; one more is -38026', () => {
    const calls = (length: number) => ({ calls: Array.from({ length }, () => ({})) });
    expect(places([calls(5000), calls(5000)])).toHaveLength(2);
    expect(codeOf(() => places([calls(5001)]))).toBe(-38026);
    expect(codeOf(() => places([calls(5000), calls(5000), calls(1)]))).toBe(-38026);
  });

  it('no blocks are -32602', () => expect(codeOf(() => places([]))).toBe(-32602));
});
