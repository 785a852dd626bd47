import { expect, test } from 'vitest';
import { FIRST_KEY, readUnswept, UNPRUNED } from '../../../../src/chain/store/pruner/pruned.ts';
import { Pruner, type PrunerDeps } from '../../../../src/chain/store/pruner/pruner.ts';

test('a pass that starts while a reset is being written removes nothing of the chain after it', async () => {
  const written: unknown[] = [];
  const writer = {
    head: { number: 130n },
    genesis: 0n,
    sequence: 0,
    watch: () => () => {},
    writeAll: async (_: string, make: () => readonly { done?: () => void }[]) => {
      for (const change of make()) {
        written.push(change);
        change.done?.();
      }
    },
  };
  const pruner = new Pruner({ keep: 32n, pruned: UNPRUNED }, {
    db: { flush: () => Promise.resolve() },
    writer,
    roots: () => [],
    onError: (error: unknown) => {
      throw error;
    },
  } as unknown as PrunerDeps);
  // What a reset to block 0 does when its write begins, and when it has ended.
  const extent = pruner.extentAt(0n);
  pruner.consider();
  writer.head = { number: 0n };
  pruner.wentBack(0n, extent);
  await pruner.settled();
  expect(written).toEqual([]);
  expect(pruner.first).toBe(0n);
});

test('a directory of a version that did not note how far it was may have garbage, where blocks were removed', () => {
  const db = { get: () => undefined } as unknown as Parameters<typeof readUnswept>[0];
  expect(readUnswept(db, UNPRUNED)).toBeUndefined();
  expect(readUnswept(db, { ...UNPRUNED, first: 5n })).toEqual(FIRST_KEY);
});
