import { describe, expect, it } from 'vitest';
import { type FlashblockRecord, Recalled } from '../../src/explorer/data/recalled.ts';
import { Store } from '../../src/explorer/data/store.ts';
import { block, hash } from './blocks.ts';

const record = (
  number: number,
  index: number,
  transactions: number,
  { at = 200 * index, sealedAt = null as number | null } = {},
): FlashblockRecord => ({
  payloadId: hash(`${number}`),
  blockNumber: `0x${number.toString(16)}`,
  index,
  transactions,
  gasUsed: `0x${(21_000 * transactions).toString(16)}`,
  at,
  sealedAt,
});

describe('what the node remembers of flashblocks', () => {
  const recalled = new Recalled([
    // Its first ones are forgotten.
    record(1, 9, 4),
    record(2, 0, 0, { sealedAt: 2_000 }),
    record(2, 1, 1, { sealedAt: 2_000 }),
    record(2, 2, 3, { at: 700, sealedAt: 2_000 }),
    record(3, 0, 0),
    record(3, 1, 2),
  ]);

  it('becomes bars, with those that came late', () => {
    expect(
      recalled.flashes(200).map(({ block: number, index, gas, late }) => [number, index, gas, late]),
    ).toEqual([
      [2, 0, 0, false],
      [2, 1, 21_000, false],
      [2, 2, 42_000, true],
      [3, 0, 0, false],
      [3, 1, 42_000, false],
    ]);
  });

  it('fills the strip, groups sealed blocks, and completes the block being built', () => {
    const store = new Store({ clock: { now: () => 0 } });
    store.seal([block(2, ['a', 'b', 'c'])]);
    store.begin(block(3, ['d', 'e']), { payloadId: hash('3'), index: 1 });
    expect(store.pending.value).toMatchObject({ whole: false, ends: [2] });
    store.recall(recalled, 200);
    expect(store.flashes.value).toHaveLength(5);
    expect(store.groupsOf(block(2, ['a', 'b', 'c']))).toEqual([0, 1, 3]);
    // Another block has its number.
    expect(store.groupsOf(block(2, ['a']))).toBeUndefined();
    expect(store.pending.value).toMatchObject({ whole: true, ends: [0, 2] });
  });
});
