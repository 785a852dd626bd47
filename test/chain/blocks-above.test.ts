import { expect, test, vi } from 'vitest';
import type { Block } from '../../src/chain/block.ts';
import { bareSequencer } from '../sequencer/bare-sequencer.ts';

test('blocks that were taken back are read one by one, when others stand in their place', async () => {
  await using node = await bareSequencer({ noMining: true });
  const { chain, sequencer, store, transfer, mempool } = node;
  const hashes: Uint8Array[] = [];
  for (let nonce = 0n; nonce < 5n; nonce++) {
    await sequencer.submit(transfer(0, nonce));
    hashes.push((await sequencer.mine('outside')).hash);
  }
  const above = await chain.above(2n);
  expect(above.count).toBe(3);
  const head = await chain.rollbackTo(2n);
  chain.moveTo(head, undefined);
  mempool.clear();
  for (let i = 0; i < 4; i++) await sequencer.mine('outside', head.header.timestamp + 10n + BigInt(i));
  expect(chain.hashOf(3n)).not.toEqual(hashes[2]);

  const read = vi.spyOn(store.stored, 'block');
  const newest = above.newestFirst(({ number }) => number !== 4n);
  expect(read).not.toHaveBeenCalled();
  expect((newest.next().value as Block).hash).toEqual(hashes[4]);
  expect(newest.next().value).toBeUndefined();
  expect(read).toHaveBeenCalledTimes(1);
  expect((newest.next().value as Block).hash).toEqual(hashes[2]);
  expect(newest.next().done).toBe(true);
  expect([...above.oldestFirst()].map(({ hash }) => hash)).toEqual(hashes.slice(2));
  for (const { transactions } of above.oldestFirst()) expect(transactions).toHaveLength(1);
});

test('above the head there are none', async () => {
  await using node = await bareSequencer({ noMining: true });
  const above = await node.chain.above(0n);
  expect(above.count).toBe(0);
  expect([...above.newestFirst(() => true), ...above.oldestFirst()]).toEqual([]);
});
