import { afterEach, expect, it } from 'vitest';
import { liveNode } from '../live-node.ts';
import type { Wire } from '../wire.ts';

let live: Awaited<ReturnType<typeof liveNode>>;
afterEach(() => live.close());

const list = async (): Promise<Wire[]> => live.call('devnet_flashblocks');
const seen = async () =>
  (await list()).map(({ blockNumber, index, transactions }) => [Number(blockNumber), index, transactions]);

it('devnet_flashblocks has what was published, with the transactions and the gas of the block so far', async () => {
  live = await liveNode();
  const { flashblock } = await live.call('devnet_status');
  await live.send();
  await live.tick();
  await live.tick();
  await live.send();
  await live.tick();
  expect(await seen()).toEqual([
    [1, 0, 0],
    [1, 1, 1],
    [1, 2, 1],
    [1, 3, 2],
  ]);
  const before = await list();
  expect(before.at(-1)).toMatchObject({
    payloadId: flashblock.payloadId,
    gasUsed: '0xa410',
    sealedAt: null,
  });
  expect(before.every(({ at }, i) => i === 0 || at >= before[i - 1]!.at)).toBe(true);
  await live.seal();
  const after = await list();
  expect(
    after.filter(({ blockNumber }) => blockNumber === '0x1').every(({ sealedAt, at }) => sealedAt >= at),
  ).toBe(true);
  expect(after.at(-1)).toMatchObject({ blockNumber: '0x2', index: 0, sealedAt: null });
});

it('devnet_flashblocks forgets blocks that were removed or begun anew', async () => {
  live = await liveNode();
  const snapshot = await live.call('evm_snapshot');
  await live.seal();
  await live.seal();
  await live.call('evm_revert', snapshot);
  expect(new Set((await seen()).map(([number]) => number))).toEqual(new Set([1]));
  const hash = await live.send();
  await live.tick();
  await live.call('devnet_dropPreconfirmed', hash);
  const indexes = (await seen()).map(([, index]) => index);
  expect(indexes[0]).toBe(0);
  expect(new Set(indexes).size).toBe(indexes.length);
});

it('devnet_flashblocks keeps the newest 300', async () => {
  live = await liveNode();
  await live.call('devnet_tick', 80_000);
  const all = await list();
  expect(all).toHaveLength(300);
  expect(Number(all.at(-1)!.blockNumber)).toBe(41);
});

it('devnet_flashblocks is empty without pre-confirmation', async () => {
  live = await liveNode({ automine: true });
  await live.send();
  expect(await list()).toEqual([]);
});
